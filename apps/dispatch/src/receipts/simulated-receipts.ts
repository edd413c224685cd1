import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER } from '@watchword/platform';
import { type Clock, type DeliveryReport, newId } from '@watchword/contracts';
import { MicroBatcher } from '@watchword/batching';
import type { Logger } from '@watchword/observability';
import { type CarrierReport, type Provider, SimulatorAdapter } from '@watchword/carriers';
import { DeliveryReportHandler } from './delivery-report.handler.js';
import type { Message } from '../messages/message.js';
import type { MessageStore } from '../messages/message.store.js';
import type { SimulatedReceiptStore } from './simulated-receipt.store.js';

/**
 * Reports that accounts get on their own connections and not over HTTP: those of test mode. The simulated accounts have
 * outstanding ones in their memory, so these are replayed after a start.
 */
const BATCH_SIZE_MAX = 256;
const RESUMED_MAX = 10_000;
const READ_BATCH = 500;

type Providers = ReadonlyMap<string, Provider>;

@Injectable()
export class SimulatedReceipts {
  private readonly batcher: MicroBatcher<DeliveryReport, null>;

  constructor(
    handler: DeliveryReportHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.simulated-receipts',
      flush: async (reports) => {
        await handler.handle(reports);
        return reports.map(() => null);
      },
      sizeMax: BATCH_SIZE_MAX,
      queueMax: Number.POSITIVE_INFINITY,
    });
  }

  /** Resolves once the reports are on record, as `ReportSink` promises. */
  readonly take = async (provider: string, reports: readonly CarrierReport[]): Promise<void> => {
    await Promise.all(reports.map((report) => this.takeOne(provider, report)));
  };

  private async takeOne(provider: string, report: CarrierReport): Promise<void> {
    const received: DeliveryReport = {
      report_id: newId(),
      provider,
      message_id: report.messageId,
      provider_message_id: report.providerMessageId,
      attempt: report.attempt,
      destination: report.destination ?? null,
      state: report.state,
      reason: report.reason,
      raw_code: report.rawCode,
      raw_message: report.rawMessage,
      network: report.network,
      received_at: new Date(this.clock.now()).toISOString(),
    };
    await this.batcher.submit(received).catch((error: unknown) => {
      const fields = { err: error, provider, messageId: report.messageId };
      this.logger.warn(fields, 'a delivery report was not recorded');
      throw error;
    });
  }

  async resume(
    owed: SimulatedReceiptStore,
    messages: MessageStore,
    providers: Providers,
  ): Promise<void> {
    const ids = await owed.awaiting(RESUMED_MAX);
    for (let start = 0; start < ids.length; start += READ_BATCH) {
      const batch = await messages.read(ids.slice(start, start + READ_BATCH).map((id) => ({ id })));
      for (const message of batch.values()) this.resumeOne(message, providers);
    }
  }

  private resumeOne({ id, destination, attempts }: Message, providers: Providers): void {
    for (const { outcome, provider: name, startedAt, resend } of attempts) {
      const provider = providers.get(name);
      if (outcome !== 'accepted' || !(provider instanceof SimulatorAdapter)) continue;
      const submittedAt = startedAt.getTime();
      provider.resume({ messageId: id, resend, destination, submittedAt });
    }
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }
}
