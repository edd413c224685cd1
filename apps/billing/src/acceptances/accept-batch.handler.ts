import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptBatchRequest,
  type AcceptBatchResult,
  type BatchItem,
  type BatchOutcome,
  type BatchReplay,
  type Clock,
  type IdempotencyClaim,
  isUuid,
  newId,
  type SendMessage,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, DATABASE, LOGGER } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { PriceListCache } from '../prices/price-list.cache.js';
import type { Verdict } from './accept.store.js';
import { type Acceptance, charged } from './acceptance.js';
import { fromStored, type StoredOutcome, toStored } from './batch-answer.js';
import { BatchStore } from './batch.store.js';
import { prepare, type Terms } from './prepare.policy.js';
import { logAccepted } from './log-accepted.js';

type Decided = { result: AcceptBatchResult; sends: Acceptance[]; verdicts: Verdict[] };

/**
 * Accepts a batch of one workspace in one transaction: items are paid in order, while the balance
 * suffices. The answer, with the items' errors, is stored under the batch's key in the same
 * transaction.
 */
@Injectable()
export class AcceptBatchHandler {
  constructor(
    @Inject(DATABASE) private readonly pool: DatabasePool,
    @Inject(PriceListCache) private readonly prices: Pick<PriceListCache, 'current'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async accept(request: AcceptBatchRequest): Promise<AcceptBatchResult> {
    const acceptedAt = new Date(this.clock.now()).toISOString();
    // Before the transaction, which holds its own connection.
    const prices = await this.prices.current();
    const { result, sends, verdicts } = await this.pool.transaction(async (transaction) => {
      const decided = await this.decide(transaction, request, {
        prices,
        quotes: new Map(),
        acceptedAt,
      });
      crashPoint('billing.accept-batch.before-commit');
      return decided;
    });
    crashPoint('billing.accept-batch.after-commit');
    const committedAt = this.clock.now();
    sends.forEach((send, index) =>
      logAccepted(this.logger, send, verdicts[index]!, acceptedAt, committedAt),
    );
    return result;
  }

  /** Looks a key up. Changes nothing. */
  async findReplay(workspaceId: WorkspaceId, claim: IdempotencyClaim): Promise<BatchReplay> {
    if (!isUuid(workspaceId)) return { verdict: 'new' };
    const at = new Date(this.clock.now()).toISOString();
    return (
      (await replayed(new BatchStore(this.pool), workspaceId, claim, at)) ?? { verdict: 'new' }
    );
  }

  private async decide(
    transaction: Queryable,
    request: AcceptBatchRequest,
    terms: Terms,
  ): Promise<Decided> {
    const { acceptedAt } = terms;
    const { workspace_id: workspaceId, items, idempotency } = request;
    const only = (result: AcceptBatchResult): Decided => ({ result, sends: [], verdicts: [] });
    const store = new BatchStore(transaction);
    if (!(await store.lockAccount(workspaceId))) return only({ verdict: 'unknown_workspace' });
    const earlier = idempotency && (await replayed(store, workspaceId, idempotency, acceptedAt));
    if (earlier) return only(earlier);
    const sends = prepared(items, terms);
    const verdicts = sends.length > 0 ? await store.accept(sends, acceptedAt) : [];
    const outcomes = outcomesOf(items, sends, verdicts);
    if (idempotency) {
      const answer = JSON.stringify(outcomes.map(toStored));
      await store.record({ id: newId(), workspaceId, answer, acceptedAt }, idempotency);
    }
    return { result: { verdict: 'accepted', outcomes }, sends, verdicts };
  }
}

function prepared(items: readonly BatchItem[], terms: Terms): Acceptance[] {
  return items.flatMap((item) =>
    'send' in item ? [prepare({ ...item, idempotency: null }, terms)] : [],
  );
}

type Replayed = Exclude<BatchReplay, { verdict: 'new' }>;

async function replayed(
  store: BatchStore,
  workspaceId: WorkspaceId,
  claim: IdempotencyClaim,
  at: string,
): Promise<Replayed | undefined> {
  const known = await store.find(workspaceId, claim, at);
  if (!known) return undefined;
  if (known.fingerprint !== claim.fingerprint || known.answer === null) {
    return { verdict: 'idempotency_conflict' };
  }
  const stored = JSON.parse(known.answer) as StoredOutcome[];
  const ids = stored.flatMap((each) => ('message_id' in each ? [each.message_id] : []));
  const commands = await store.findCommands(ids);
  return { verdict: 'replayed', outcomes: stored.map((each) => fromStored(each, commands)) };
}

/** Returns one outcome per item, in order: errors as given, and the verdicts of the sends. */
function outcomesOf(
  items: readonly BatchItem[],
  sends: readonly Acceptance[],
  verdicts: readonly Verdict[],
): BatchOutcome[] {
  let next = 0;
  return items.map((item) => {
    if ('error' in item) return { verdict: 'refused', error: item.error };
    const place = next++;
    return toOutcome(sends[place]!.send, verdicts[place]!);
  });
}

function toOutcome(send: SendMessage, decided: Verdict): BatchOutcome {
  const { verdict, balance, credits } = decided;
  if (verdict === 'limited') {
    return { verdict, retry_after_seconds: decided.retryAfterSeconds! };
  }
  if (verdict === 'accepted') return { verdict, command: charged(send, credits) };
  if (verdict !== 'insufficient_credits') throw new Error(`an item of a batch is ${verdict}`);
  return { verdict, balance: balance!, required: credits };
}
