import { Controller, Inject, type OnApplicationShutdown } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import {
  type AcceptBatchRequest,
  type AcceptBatchResult,
  type AnswerOf,
  billingCalls,
  type Clock,
  isUuid,
  type RequestOf,
} from '@watchword/contracts';
import { CallPattern, CLOCK } from '@watchword/platform';
import { AcceptBatchHandler } from './accept-batch.handler.js';
import { KeySpendingStore } from './key-spending.store.js';

/**
 * Two batches would wait for each other's accounts and CPU. The rest of the pool serves single
 * sends.
 */
const IN_FLIGHT_MAX = 2;
/** A few seconds of work. Above it, callers get an error that can be retried. */
const QUEUE_MAX = 64;

@Controller()
export class BatchesRpc implements OnApplicationShutdown {
  private readonly queue: MicroBatcher<AcceptBatchRequest, AcceptBatchResult>;

  constructor(
    @Inject(AcceptBatchHandler)
    private readonly handler: Pick<AcceptBatchHandler, 'accept' | 'findReplay'>,
    @Inject(KeySpendingStore) private readonly spending: Pick<KeySpendingStore, 'find'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.queue = new MicroBatcher({
      name: 'billing.accept-batch',
      flush: (requests) => Promise.all(requests.map((request) => handler.accept(request))),
      sizeMax: 1,
      queueMax: QUEUE_MAX,
      inFlightMax: IN_FLIGHT_MAX,
    });
  }

  @CallPattern(billingCalls, 'acceptBatch')
  async acceptBatch(request: RequestOf<'acceptBatch'>): AnswerOf<'acceptBatch'> {
    return isUuid(request.workspace_id)
      ? this.queue.submit(request)
      : { verdict: 'unknown_workspace' };
  }

  @CallPattern(billingCalls, 'findBatchReplay')
  findBatchReplay(request: RequestOf<'findBatchReplay'>): AnswerOf<'findBatchReplay'> {
    return this.handler.findReplay(request.workspace_id, request.idempotency);
  }

  @CallPattern(billingCalls, 'getKeySpending')
  async getKeySpending(request: RequestOf<'getKeySpending'>): AnswerOf<'getKeySpending'> {
    const { key_id: keyId, test_mode: testMode } = request;
    const day = new Date(this.clock.now()).toISOString().slice(0, 'yyyy-mm-dd'.length);
    const credits = isUuid(keyId) ? await this.spending.find(keyId, testMode, day) : 0;
    return { day, credits };
  }

  onApplicationShutdown(): Promise<void> {
    return this.queue.drain();
  }
}
