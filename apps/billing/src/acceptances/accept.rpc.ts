import { MicroBatcher, Overloaded } from '@watchword/batching';
import type { AcceptRequest, AcceptResult } from '@watchword/contracts';
import type { AcceptHandler } from './accept.handler.js';
import { isFaultOfAnItem } from './batch-fault.js';

/** Larger batches gain nothing more per message and make everybody wait longer. */
const BATCH_SIZE_MAX = 256;
/** A fraction of a second of work: who comes later is better told to come back. */
const QUEUE_MAX = 2_048;

/**
 * Collects concurrent calls into batches. One batch is in flight at a time: two would wait for each
 * other's accounts.
 *
 * Two sends under one key never share a batch, because the database decides keys by what was
 * committed before: the later one waits for the earlier one's answer and is then submitted.
 */
export class AcceptRpc {
  private readonly batcher: MicroBatcher<AcceptRequest, AcceptResult>;
  private readonly latestByKey = new Map<string, Promise<AcceptResult>>();
  private waiting = 0;

  constructor(handler: Pick<AcceptHandler, 'acceptBatch'>) {
    this.batcher = new MicroBatcher({
      name: 'billing.accept',
      flush: (requests) => handler.acceptBatch(requests),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: QUEUE_MAX,
      isolate: isFaultOfAnItem,
    });
  }

  accept(request: AcceptRequest): Promise<AcceptResult> {
    const { idempotency, send } = request;
    if (!idempotency) return this.batcher.submit(request);
    const key = `${send.workspace_id} ${idempotency.scope} ${idempotency.key}`;
    const earlier = this.latestByKey.get(key);
    const outcome = earlier ? this.submitAfter(earlier, request) : this.batcher.submit(request);
    this.latestByKey.set(key, outcome);
    const forget = () => {
      if (this.latestByKey.get(key) === outcome) this.latestByKey.delete(key);
    };
    outcome.then(forget, forget);
    return outcome;
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }

  private async submitAfter(
    earlier: Promise<AcceptResult>,
    request: AcceptRequest,
  ): Promise<AcceptResult> {
    if (this.waiting >= QUEUE_MAX) throw new Overloaded('billing.accept');
    this.waiting += 1;
    await earlier.catch(() => undefined).finally(() => (this.waiting -= 1));
    return this.batcher.submit(request);
  }
}
