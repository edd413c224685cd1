import { MicroBatcher } from '@watchword/batching';
import {
  type AcceptBatchRequest,
  type AcceptBatchResult,
  type BillingCalls,
  type Clock,
  isUuid,
} from '@watchword/contracts';
import type { AcceptBatchHandler } from './accept-batch.handler.js';
import type { KeySpendingStore } from './key-spending.store.js';

/** Two batches would wait for each other's accounts and processor time; the rest of the pool serves single sends. */
const IN_FLIGHT_MAX = 2;
/** A few seconds of work; a later caller is told to retry. */
const QUEUE_MAX = 64;

export class BatchesRpc {
  private readonly queue: MicroBatcher<AcceptBatchRequest, AcceptBatchResult>;

  constructor(
    private readonly handler: Pick<AcceptBatchHandler, 'accept' | 'findReplay'>,
    private readonly spending: Pick<KeySpendingStore, 'find'>,
    private readonly clock: Clock,
  ) {
    this.queue = new MicroBatcher({
      name: 'billing.accept-batch',
      flush: (requests) => Promise.all(requests.map((request) => handler.accept(request))),
      sizeMax: 1,
      queueMax: QUEUE_MAX,
      inFlightMax: IN_FLIGHT_MAX,
    });
  }

  acceptBatch: BillingCalls['acceptBatch'] = async (request) =>
    isUuid(request.workspace_id) ? this.queue.submit(request) : { verdict: 'unknown_workspace' };

  findBatchReplay: BillingCalls['findBatchReplay'] = (request) =>
    this.handler.findReplay(request.workspace_id, request.idempotency);

  getKeySpending: BillingCalls['getKeySpending'] = async (request) => {
    const { key_id: keyId, test_mode: testMode } = request;
    const day = new Date(this.clock.now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
    const credits = isUuid(keyId) ? await this.spending.find(keyId, testMode, day) : 0;
    return { day, credits };
  };

  drain(): Promise<void> {
    return this.queue.drain();
  }
}
