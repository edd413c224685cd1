import { MicroBatcher, Overloaded } from '@watchword/batching';
import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { type AcceptRequest, type AcceptResult, billingCalls } from '@watchword/contracts';
import { CallPattern } from '@watchword/platform';
import { AcceptHandler } from './accept.handler.js';
import { isFaultOfAnItem } from './batch-fault.js';

/** Larger batches gain nothing more per message, and every caller waits longer. */
const BATCH_SIZE_MAX = 256;
/** A fraction of a second of work. Above it, callers get an error that can be retried. */
const QUEUE_MAX = 2_048;
/**
 * From 8 waiting sends on, the next batch waits 1 ms for more (ADR 67). 28 are a full batch, which
 * begins beside the one in flight (ADR 67).
 */
const GATHERING = { countMin: 8, countFull: 28, waitMs: 1 };
/** The database decides a second batch while this process answers the sends of the first, and reads new ones. */
const IN_FLIGHT_MAX = 2;

/**
 * Collects concurrent calls into batches. Workspaces take turns where more wait than fit into one.
 *
 * Two sends under one idempotency key, with one quote, on one daily budget, or in one window of all trial workspaces are
 * never in flight together, because the database decides these by what was committed before: the later one waits for the
 * earlier one's answer and is then submitted.
 */
@Controller()
export class AcceptRpc implements OnApplicationShutdown {
  private readonly batcher: MicroBatcher<AcceptRequest, AcceptResult>;
  private readonly latestOfTurn = new Map<string, Promise<AcceptResult>>();
  private waiting = 0;

  constructor(@Inject(AcceptHandler) handler: Pick<AcceptHandler, 'acceptBatch'>) {
    this.batcher = new MicroBatcher({
      name: 'billing.accept',
      flush: (requests) => handler.acceptBatch(requests),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: QUEUE_MAX,
      isolate: isFaultOfAnItem,
      laneOf: ({ send }) => send.workspace_id,
      inFlightMax: IN_FLIGHT_MAX,
      gather: GATHERING,
    });
  }

  @CallPattern(billingCalls, 'accept')
  accept(request: AcceptRequest): Promise<AcceptResult> {
    const turns = turnsOf(request);
    if (turns.length === 0) return this.batcher.submit(request);
    const earlier = turns.flatMap((turn) => this.latestOfTurn.get(turn) ?? []);
    const outcome =
      earlier.length > 0 ? this.submitAfter(earlier, request) : this.batcher.submit(request);
    for (const turn of turns) this.latestOfTurn.set(turn, outcome);
    const forget = () => {
      for (const turn of turns) {
        if (this.latestOfTurn.get(turn) === outcome) this.latestOfTurn.delete(turn);
      }
    };
    outcome.then(forget, forget);
    return outcome;
  }

  onApplicationShutdown(): Promise<void> {
    return this.batcher.drain();
  }

  private async submitAfter(
    earlier: readonly Promise<AcceptResult>[],
    request: AcceptRequest,
  ): Promise<AcceptResult> {
    if (this.waiting >= QUEUE_MAX) throw new Overloaded('billing.accept');
    this.waiting += 1;
    await Promise.allSettled(earlier).finally(() => (this.waiting -= 1));
    return this.batcher.submit(request);
  }
}

/** Returns what at most one send of a batch may use. */
function turnsOf(request: AcceptRequest): string[] {
  const { idempotency, send, quote_id: quoteId, budget, windows = [] } = request;
  const turns: string[] = [];
  if (idempotency) turns.push(`${send.workspace_id} ${idempotency.scope} ${idempotency.key}`);
  if (budget) turns.push(`budget ${budget.key_id.toLowerCase()}`);
  if (quoteId) turns.push(`quote ${quoteId.toLowerCase()}`);
  for (const { id, shared } of windows) if (shared) turns.push(`window ${id}`);
  return turns;
}
