import { type Bus, type Subscription, TransientError } from '@watchword/bus';
import { type RefundMessage, TOPICS } from '@watchword/contracts';
import { DatabaseUnavailable } from '@watchword/postgres';
import type { RefundHandler } from './refund.handler.js';

const BATCH_SIZE_MAX = 200;

export class RefundConsumer {
  private subscription?: Subscription;

  constructor(
    private readonly bus: Bus,
    private readonly handler: Pick<RefundHandler, 'refundBatch'>,
  ) {}

  async start(): Promise<void> {
    this.subscription = await this.bus.subscribe<RefundMessage>(
      TOPICS.refundCommands,
      { group: 'billing.refunds', batchSizeMax: BATCH_SIZE_MAX },
      (batch) => this.refund(batch.map(({ payload }) => payload)),
    );
  }

  async stop(): Promise<void> {
    await this.subscription?.close();
  }

  /** Refunds may be repeated, so even an unknown outcome is simply tried again. */
  private async refund(commands: RefundMessage[]): Promise<void> {
    try {
      await this.handler.refundBatch(commands);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      throw new TransientError('refunds wait for the database', error);
    }
  }
}
