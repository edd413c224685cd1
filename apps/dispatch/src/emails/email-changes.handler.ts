import type { Clock, MessageId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { distinctRefs } from '../messages/record-refs.js';
import type { KeyRow } from '../messages/message-write.js';
import { isWithin, type Scope } from '../messages/scope.policy.js';
import { tidied } from './email-change.policy.js';
import { emailAnnouncements } from './email-event.policy.js';
import { emailStepsOf } from './email-steps.policy.js';
import type { Email } from './email.js';
import type { EmailStore, EmailWrite, TakenReport } from './email.store.js';

/** Returns the changed email, or the same object when nothing changes. Must be pure. */
export type EmailChange = (email: Email, at: Date) => Email;

export interface EmailChangeRequest {
  readonly id: MessageId;
  readonly change: EmailChange;
  /** Written together with the change, if it is one. */
  readonly keys?: readonly KeyRow[];
  /** The report that the change applies. A report that was applied before changes nothing. */
  readonly report?: TakenReport;
  /** Scope of the caller; absent for a change without a caller. */
  readonly within?: Scope;
}

/** In every round another write came first. This many in a row cannot happen by chance. */
const ROUNDS_MAX = 50;

/**
 * Applies changes to many emails at a time: read, decide in memory, write all in one statement. A
 * write names the version it was decided on. When another write came first, the change is decided
 * again. So outcomes, reports, cancellations and retries can race each other, in one process or
 * several.
 */
export class EmailChanges {
  constructor(
    private readonly store: EmailStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Called with each email that this process has written. */
    private readonly onWritten: (email: Email) => void = () => undefined,
  ) {}

  /** Inserts new emails. Returns those that did not exist yet, as they are stored. */
  async insert(emails: readonly Email[]): Promise<Map<string, Email>> {
    const at = new Date(this.clock.now());
    const writes = emails.map((email) => writeOf(null, tidied(email, at), [], []));
    const written = await this.store.write(writes);
    const stored = writes.filter(({ email }) => written.has(email.id));
    for (const write of stored) this.note(write);
    return new Map(stored.map(({ email }) => [email.id, { ...email, occurrences: [] }]));
  }

  /**
   * Applies changes. Several changes of one email are made in the order of the list. Returns null
   * for an email outside the scope.
   */
  async apply(requests: readonly EmailChangeRequest[]): Promise<(Email | null)[]> {
    const settled = new Map<string, Email>();
    let open = Map.groupBy(requests, ({ id }) => id);
    for (let round = 1; open.size > 0; round += 1) {
      if (round > ROUNDS_MAX) throw new Error('an email changes faster than it can be changed');
      const conflicts = await this.round(open, settled);
      open = new Map([...open].filter(([id]) => conflicts.has(id)));
    }
    return requests.map(({ id, within }) => {
      const email = settled.get(id);
      return email && isWithin(email, within) ? email : null;
    });
  }

  /** Returns the ids that another write changed meanwhile. */
  private async round(
    open: ReadonlyMap<string, EmailChangeRequest[]>,
    settled: Map<string, Email>,
  ): Promise<Set<string>> {
    const reportIds = [...open.values()].flat().flatMap(({ report }) => report?.reportId ?? []);
    const current = await this.store.read(distinctRefs([...open.values()].flat()));
    const seen = await this.store.seen(reportIds);
    const at = new Date(this.clock.now());
    const writes: EmailWrite[] = [];
    for (const [id, requests] of open) {
      const before = current.get(id);
      if (!before) continue;
      const allowed = withoutRepeated(requests, seen).filter(({ within }) =>
        isWithin(before, within),
      );
      const changed = allowed.reduce((email, { change }) => change(email, at), before);
      if (changed === before) settled.set(id, before);
      else writes.push(writeOf(before, tidied(changed, at), keysOf(allowed), reportsOf(allowed)));
    }
    writes.sort((one, other) => (one.email.id < other.email.id ? -1 : 1));
    const written = await this.store.write(writes);
    const conflicts = new Set<string>();
    for (const write of writes) {
      const { email } = write;
      if (!written.has(email.id)) {
        conflicts.add(email.id);
        continue;
      }
      settled.set(email.id, afterWrite(email));
      this.note(write);
    }
    return conflicts;
  }

  private note({ before, email }: EmailWrite): void {
    this.onWritten(email);
    if (!this.logger.isLevelEnabled('info')) return;
    for (const { text, fields } of emailStepsOf(before, email)) this.logger.info(fields, text);
  }
}

function writeOf(
  before: Email | null,
  after: Email,
  keys: readonly KeyRow[],
  reports: readonly TakenReport[],
): EmailWrite {
  return {
    email: after,
    before,
    recipients: after.recipients.filter((one) => !before?.recipients.includes(one)),
    attempts: after.attempts.filter((one) => !before?.attempts.includes(one)),
    outgoing: emailAnnouncements(before, after),
    keys,
    reports,
  };
}

/** Returns the email as it is after the write. */
function afterWrite(email: Email): Email {
  return { ...email, version: email.version + 1, occurrences: [] };
}

/** Returns reports without repetitions: one counts once, however often a batch contains it. */
function withoutRepeated(
  requests: readonly EmailChangeRequest[],
  seen: ReadonlySet<string>,
): EmailChangeRequest[] {
  const taken = new Set(seen);
  return requests.filter(({ report }) => {
    if (report === undefined) return true;
    if (taken.has(report.reportId)) return false;
    taken.add(report.reportId);
    return true;
  });
}

function keysOf(requests: readonly EmailChangeRequest[]): readonly KeyRow[] {
  return requests.flatMap(({ keys = [] }) => keys);
}

function reportsOf(requests: readonly EmailChangeRequest[]): readonly TakenReport[] {
  return requests.flatMap(({ report }) => report ?? []);
}
