import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type DispatchCalls,
  dispatchCalls,
  DOMAINS_MAX,
  type IdempotencyClaim,
  isUuid,
  newId,
  type RequestOf,
  type SendingDomain,
  type WorkspaceId,
} from '@watchword/contracts';
import { type DkimKey, newDkimKey } from '@watchword/email';
import { CallPattern, CLOCK, DATABASE, KeyRing } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { doneByKey, type Effect, type KeyedOutcome, onceByKey } from '../keyed-effect.js';
import { CheckDomainHandler } from './check-domain.handler.js';
import { DOMAIN_KEYS, EmailDomainStore } from './email-domain.store.js';

type Calls = Pick<
  DispatchCalls,
  'createDomain' | 'listDomains' | 'getDomain' | 'verifyDomain' | 'findLinkDomain' | 'deleteDomain'
>;
type Creation = Awaited<ReturnType<Calls['createDomain']>>;

/** Answers the gateway's calls about domains. */
@Controller()
export class DomainRpc {
  private readonly domains: EmailDomainStore;

  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(DOMAIN_KEYS) private readonly ring: KeyRing,
    private readonly checking: CheckDomainHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.domains = new EmailDomainStore(database, ring);
  }

  @CallPattern(dispatchCalls, 'createDomain')
  async createDomain(request: RequestOf<'createDomain'>): AnswerOf<'createDomain'> {
    const { workspace_id: workspaceId, idempotency } = request;
    const at = new Date(this.clock.now());
    // Generated before the transaction, because a key takes a tenth of a second.
    const key = await newDkimKey();
    const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
      this.create(new EmailDomainStore(transaction, this.ring), request, key, at),
    );
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    const { result, replayed } = done;
    return result.verdict === 'created' ? { ...result, replayed } : result;
  }

  @CallPattern(dispatchCalls, 'listDomains')
  async listDomains({
    workspace_id: workspaceId,
    limit,
    before_id: beforeId,
  }: RequestOf<'listDomains'>): AnswerOf<'listDomains'> {
    const domains = await this.domains.list(workspaceId, limit, beforeId);
    return { data: domains.map((domain) => this.checking.recordOf(domain)) };
  }

  @CallPattern(dispatchCalls, 'getDomain')
  async getDomain({
    workspace_id: workspaceId,
    id,
  }: RequestOf<'getDomain'>): AnswerOf<'getDomain'> {
    const domain = isUuid(id) ? await this.domains.find(workspaceId, id) : null;
    return { domain: domain && this.checking.recordOf(domain) };
  }

  @CallPattern(dispatchCalls, 'verifyDomain')
  async verifyDomain({
    workspace_id: workspaceId,
    id,
    idempotency = null,
  }: RequestOf<'verifyDomain'>): AnswerOf<'verifyDomain'> {
    const at = new Date(this.clock.now());
    const known = await doneByKey<SendingDomain>(this.database, workspaceId, idempotency, at);
    const done = known ?? (await this.verify(workspaceId, id, idempotency, at));
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    return { domain: done.result, replayed: done.replayed };
  }

  @CallPattern(dispatchCalls, 'findLinkDomain')
  async findLinkDomain({ name }: RequestOf<'findLinkDomain'>): AnswerOf<'findLinkDomain'> {
    return { is_verified: await this.domains.isLinkDomain(name) };
  }

  @CallPattern(dispatchCalls, 'deleteDomain')
  async deleteDomain({
    workspace_id: workspaceId,
    id,
  }: RequestOf<'deleteDomain'>): AnswerOf<'deleteDomain'> {
    return {
      deleted: isUuid(id) && (await this.domains.delete(workspaceId, id)),
    };
  }

  /** The look-up takes seconds, so it is not in the transaction of its key. */
  private async verify(
    workspaceId: WorkspaceId,
    id: string,
    claim: IdempotencyClaim | null,
    at: Date,
  ): Promise<KeyedOutcome<SendingDomain | null>> {
    const domain = isUuid(id) ? await this.domains.find(workspaceId, id) : null;
    const result = domain && (await this.checking.check(domain));
    if (result === null || claim === null) return { outcome: 'done', replayed: false, result };
    const effect = () => Promise.resolve({ id, result });
    return onceByKey(this.database, workspaceId, claim, at, effect);
  }

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
