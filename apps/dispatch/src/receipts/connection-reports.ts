import { Inject, Injectable } from '@nestjs/common';
import { MicroBatcher } from '@watchword/batching';
import { type CarrierReport, deliveryReportOf } from '@watchword/carriers';
import type { Clock, DeliveryReport } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { DeliveryReportHandler } from './delivery-report.handler.js';

const BATCH_SIZE_MAX = 256;
/** Reports wait for open calls meanwhile, and are written together by the handler. */
const IN_FLIGHT_MAX = 64;

/** Reports that accounts get on their own connections and not over HTTP. */
@Injectable()
export class ConnectionReports {
  private readonly batcher: MicroBatcher<DeliveryReport, null>;

  constructor(
    handler: DeliveryReportHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.connection-reports',
      flush: async (reports) => {
        await handler.handle(reports);
        return reports.map(() => null);
      },
      sizeMax: BATCH_SIZE_MAX,
      inFlightMax: IN_FLIGHT_MAX,
      // The windows of the connections bound it: a carrier waits for acknowledgements.
      queueMax: Number.POSITIVE_INFINITY,
    });
  }

  /** Resolves once the reports are on record, as `ReportSink` promises. */
  async take(provider: string, reports: readonly CarrierReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.takeOne(provider, report)));
  }

  private async takeOne(provider: string, report: CarrierReport): Promise<void> {
    const receivedAt = new Date(this.clock.now()).toISOString();
    const received = deliveryReportOf(provider, report, receivedAt);
    await this.batcher.submit(received).catch((error: unknown) => {
      const fields = { err: error, provider, messageId: report.messageId };
      this.logger.warn(fields, 'a delivery report was not recorded');
      throw error;
    });
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }
}
