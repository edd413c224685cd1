import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type DispatchCalls,
  dispatchCalls,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { type Effect, onceByKey } from '../keyed-effect.js';
import { EmailSuppressionStore } from './email-suppression.store.js';

type Calls = Pick<
  DispatchCalls,
  'judgeEmails' | 'suppressAddress' | 'listEmailSuppressions' | 'unsuppressAddress'
>;
type Creation = Awaited<ReturnType<Calls['suppressAddress']>>;

/** Answers the gateway's calls about suppressed addresses. */
@Controller()
export class SuppressionRpc {
  private readonly suppressions: EmailSuppressionStore;

  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.suppressions = new EmailSuppressionStore(database);
  }

  @CallPattern(dispatchCalls, 'judgeEmails')
  async judgeEmails({ questions }: RequestOf<'judgeEmails'>): AnswerOf<'judgeEmails'> {
    const verdicts = await this.suppressions.judge(questions);
    const findings = verdicts.map(({ isVerified, suppressed }) => ({
      is_verified: isVerified,
      suppressed,
    }));
    return { findings };
  }

  @CallPattern(dispatchCalls, 'suppressAddress')
  async suppressAddress(request: RequestOf<'suppressAddress'>): AnswerOf<'suppressAddress'> {
    const { workspace_id: workspaceId, idempotency } = request;
    const at = new Date(this.clock.now());
    const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
      suppress(transaction, request, at),
    );
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    const { result, replayed } = done;
    return result.verdict === 'idempotency_conflict' ? result : { ...result, replayed };
  }

  @CallPattern(dispatchCalls, 'listEmailSuppressions')
  async listEmailSuppressions({
    workspace_id: workspaceId,
    limit,
    before,
  }: RequestOf<'listEmailSuppressions'>): AnswerOf<'listEmailSuppressions'> {
    return {
      data: await this.suppressions.list(workspaceId, limit, before),
    };
  }

  @CallPattern(dispatchCalls, 'unsuppressAddress')
  async unsuppressAddress({
    workspace_id: workspaceId,
    address,
    by_operator: isByOperator,
  }: RequestOf<'unsuppressAddress'>): AnswerOf<'unsuppressAddress'> {
    return {
      verdict: await this.suppressions.delete(workspaceId, address, isByOperator),
    };
  }
}

async function suppress(
  transaction: Queryable,
  { workspace_id: workspaceId, address }: Parameters<Calls['suppressAddress']>[0],
  at: Date,
): Promise<Effect<Creation>> {
  const store = new EmailSuppressionStore(transaction);
  const entry = { workspaceId, address, origin: 'manual', scope: 'all', at } as const;
  const [added] = await store.add([entry]);
  if (added === undefined) throw new Error('a suppression was not written');
  const { suppression, isNew } = added;
  const verdict = isNew ? 'created' : 'known';
  return { id: suppression.id, result: { verdict, replayed: false, suppression } };
}
