import { type Clock, type DispatchCalls, DOMAINS_MAX, isUuid, newId } from '@watchword/contracts';
import { type DkimKey, newDkimKey } from '@watchword/email';
import type { KeyRing } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { type Effect, onceByKey } from '../keyed-effect.js';
import type { CheckDomainHandler } from './check-domain.handler.js';
import { EmailDomainStore } from './email-domain.store.js';

type Calls = Pick<
  DispatchCalls,
  'createDomain' | 'listDomains' | 'getDomain' | 'verifyDomain' | 'deleteDomain'
>;
type Creation = Awaited<ReturnType<Calls['createDomain']>>;

/** Domains as the gateway asks for them. */
export class DomainRpc {
  private readonly domains: EmailDomainStore;

  constructor(
    private readonly database: Transactional,
    private readonly ring: KeyRing,
    private readonly checking: CheckDomainHandler,
    private readonly clock: Clock,
  ) {
    this.domains = new EmailDomainStore(database, ring);
  }

  readonly calls: Calls = {
    createDomain: async (request) => {
      const { workspace_id: workspaceId, idempotency } = request;
      const at = new Date(this.clock.now());
      // Made before the transaction: a key takes a tenth of a second.
      const key = await newDkimKey();
      const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
        this.create(new EmailDomainStore(transaction, this.ring), request, key, at),
      );
      if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
      const { result, replayed } = done;
      return result.verdict === 'created' ? { ...result, replayed } : result;
    },
    listDomains: async ({ workspace_id: workspaceId, limit, before_id: beforeId }) => {
      const domains = await this.domains.list(workspaceId, limit, beforeId);
      return { data: domains.map((domain) => this.checking.recordOf(domain)) };
    },
    getDomain: async ({ workspace_id: workspaceId, id }) => {
      const domain = isUuid(id) ? await this.domains.find(workspaceId, id) : null;
      return { domain: domain && this.checking.recordOf(domain) };
    },
    verifyDomain: async ({ workspace_id: workspaceId, id }) => {
      const domain = isUuid(id) ? await this.domains.find(workspaceId, id) : null;
      return { domain: domain && (await this.checking.check(domain)) };
    },
    deleteDomain: async ({ workspace_id: workspaceId, id }) => ({
      deleted: isUuid(id) && (await this.domains.delete(workspaceId, id)),
    }),
  };

  private async create(
    domains: EmailDomainStore,
    { workspace_id: workspaceId, name }: Parameters<Calls['createDomain']>[0],
    key: DkimKey,
    at: Date,
  ): Promise<Effect<Creation>> {
    if ((await domains.hold(workspaceId)) >= DOMAINS_MAX) {
      return { id: null, result: { verdict: 'too_many' } };
    }
    const id = newId();
    const domain = await domains.insert({ id, workspaceId, name }, key, at);
    if (domain === null) return { id: null, result: { verdict: 'duplicate' } };
    const record = this.checking.recordOf(domain);
    return { id, result: { verdict: 'created', replayed: false, domain: record } };
  }
}
