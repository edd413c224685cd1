import type { Clock, DispatchCalls } from '@watchword/contracts';
import type { Queryable, Transactional } from '@watchword/postgres';
import { type Effect, onceByKey } from '../keyed-effect.js';
import { EmailSuppressionStore } from './email-suppression.store.js';

type Calls = Pick<
  DispatchCalls,
  'judgeEmails' | 'suppressAddress' | 'listEmailSuppressions' | 'unsuppressAddress'
>;
type Creation = Awaited<ReturnType<Calls['suppressAddress']>>;

/** Suppressed addresses as the gateway asks for them. */
export class SuppressionRpc {
  private readonly suppressions: EmailSuppressionStore;

  constructor(
    private readonly database: Transactional,
    private readonly clock: Clock,
  ) {
    this.suppressions = new EmailSuppressionStore(database);
  }

  readonly calls: Calls = {
    judgeEmails: async ({ questions }) => {
      const verdicts = await this.suppressions.judge(questions);
      const findings = verdicts.map(({ isVerified, suppressed }) => ({
        is_verified: isVerified,
        suppressed,
      }));
      return { findings };
    },
    suppressAddress: async (request) => {
      const { workspace_id: workspaceId, idempotency } = request;
      const at = new Date(this.clock.now());
      const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
        suppress(transaction, request, at),
      );
      if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
      const { result, replayed } = done;
      return result.verdict === 'idempotency_conflict' ? result : { ...result, replayed };
    },
    listEmailSuppressions: async ({ workspace_id: workspaceId, limit, before }) => ({
      data: await this.suppressions.list(workspaceId, limit, before),
    }),
    unsuppressAddress: async ({
      workspace_id: workspaceId,
      address,
      by_operator: isByOperator,
    }) => ({
      verdict: await this.suppressions.delete(workspaceId, address, isByOperator),
    }),
  };
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
