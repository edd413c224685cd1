import { Controller, Inject } from '@nestjs/common';
import { type IncomingMessage, TransientError } from '@watchword/bus';
import { type RefundMessage, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { DatabaseUnavailable } from '@watchword/postgres';
import { RefundHandler } from './refund.handler.js';

@Controller()
export class RefundConsumer {
  constructor(
    @Inject(RefundHandler) private readonly handler: Pick<RefundHandler, 'refundBatch'>,
  ) {}

  /** Refunds may be repeated, so even an unknown outcome is retried. */
  @BatchPattern(TOPICS.refundCommands, { group: 'billing.refunds', batchSizeMax: 200 })
  async refund(batch: IncomingMessage<RefundMessage>[]): Promise<void> {
    try {
      await this.handler.refundBatch(batch.map(({ payload }) => payload));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      throw new TransientError('refunds wait for the database', error);
    }
  }
}
