import {
  type Clock,
  DOMAIN_LOOK_UP_MS,
  type DomainEvent,
  type DomainRecord,
  type DomainRecordStatus,
  type SendingDomain,
} from '@watchword/contracts';
import { type KeyRing, within } from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { announceRegistration } from '../announce-registration.js';
import type { Dns } from './dns.port.js';
import { judgeAnswers, type RecordFinding } from './domain-answers.policy.js';
import { type MailHosts, recordsOf, type RecordStates } from './domain-records.policy.js';
import { afterCheck, announcementOf, type DkimFinding } from './domain.machine.js';
import { type Domain, EmailDomainStore } from './email-domain.store.js';

/** Looks up the records of a domain, stores the findings and announces a change. */
export class CheckDomainHandler {
  constructor(
    private readonly database: Transactional,
    private readonly ring: KeyRing,
    private readonly dns: Dns,
    private readonly hosts: MailHosts,
    private readonly clock: Clock,
  ) {}

  /** Returns null when the domain was deleted meanwhile. */
  async check(known: Domain): Promise<SendingDomain | null> {
    const records = recordsOf(known, this.hosts, known.recordStates);
    const [isThere, ...found] = await Promise.all([
      this.isResolverThere(),
      ...records.map((record) => this.lookUp(record, known.publicKey)),
    ]);
    const at = new Date(this.clock.now());
    return this.database.transaction(async (transaction) => {
      const store = new EmailDomainStore(transaction, this.ring);
      const before = await store.take(known.id);
      if (before === null) return null;
      const after = changed(before, records, { isThere, found }, at);
      await store.change(after);
      const record = this.recordOf(after);
      const news = announcementOf(before.status, after.status);
      if (news !== null) await announce(transaction, record, news, at);
      return record;
    });
  }

  recordOf(domain: Domain): SendingDomain {
    return {
      id: domain.id,
      workspace_id: domain.workspaceId,
      name: domain.name,
      status: domain.status,
      records: recordsOf(domain, this.hosts, domain.recordStates),
      created_at: domain.createdAt.toISOString(),
      verified_at: domain.verifiedAt?.toISOString() ?? null,
      last_checked_at: domain.lastCheckedAt?.toISOString() ?? null,
    };
  }

  private isResolverThere(): Promise<boolean> {
    return within(DOMAIN_LOOK_UP_MS, this.dns.isThere()).catch(() => false);
  }

  /** Returns null when no server answers in time. */
  private async lookUp(record: DomainRecord, publicKey: string): Promise<RecordFinding | null> {
    const { type, name } = record;
    const look = { TXT: this.dns.txt, MX: this.dns.mx, CNAME: this.dns.cname }[type];
    try {
      const answers = await within(DOMAIN_LOOK_UP_MS, look.call(this.dns, name));
      return judgeAnswers(record, publicKey, answers);
    } catch {
      return null;
    }
  }
}

interface LookUp {
  /** Whether the resolver answers. */
  readonly isThere: boolean;
  /** Of each record; null where no answer came. */
  readonly found: readonly (RecordFinding | null)[];
}

function changed(
  before: Domain,
  records: readonly DomainRecord[],
  { isThere, found }: LookUp,
  at: Date,
): Domain {
  const answered = records.flatMap(({ purpose }, index) => {
    const finding = found[index] ?? null;
    return finding === null ? [] : [{ purpose, ...finding }];
  });
  const recordStates: RecordStates = answered.reduce(withFinding, before.recordStates);
  const dkim = found[records.findIndex(({ purpose }) => purpose === 'DKIM')] ?? null;
  const state = afterCheck(before, findingOf(dkim?.status ?? null, isThere), at);
  const wasAsked = isThere || answered.length > 0;
  const lastCheckedAt = wasAsked ? at : before.lastCheckedAt;
  return { ...before, ...state, recordStates, lastCheckedAt };
}

function withFinding(
  states: RecordStates,
  { purpose, status, problem }: RecordFinding & Pick<DomainRecord, 'purpose'>,
): RecordStates {
  const { [`${purpose}.problem` as const]: _before, ...rest } = states;
  const after = { ...rest, [purpose]: status };
  return problem === null ? after : { ...after, [`${purpose}.problem`]: problem };
}

function findingOf(dkim: DomainRecordStatus | null, isThere: boolean): DkimFinding {
  if (dkim === null) return isThere ? 'silent' : 'unasked';
  return dkim === 'verified' ? 'right' : 'missing';
}

async function announce(
  transaction: Queryable,
  domain: SendingDomain,
  news: 'verified' | 'failed',
  at: Date,
): Promise<void> {
  const { workspace_id } = domain;
  const event = { type: `domain.${news}` as const, workspace_id, domain };
  await announceRegistration<DomainEvent>(transaction, 'svc.domain-event.v1', event, at);
}
