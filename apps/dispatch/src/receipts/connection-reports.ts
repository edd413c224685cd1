import { Inject, Injectable } from '@nestjs/common';
import { OpenItems } from '@watchword/batching';
import { type CarrierReport, deliveryReportOf } from '@watchword/carriers';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { DeliveryReportHandler } from './delivery-report.handler.js';

/** Reports that accounts get on their own connections and not over HTTP. */
@Injectable()
export class ConnectionReports {
  private readonly open = new OpenItems<Promise<void>>();

  constructor(
    private readonly handler: DeliveryReportHandler,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves once the reports are on record, as `ReportSink` promises. */
  async take(provider: string, reports: readonly CarrierReport[]): Promise<void> {
    await Promise.all(reports.map((report) => this.takeOne(provider, report)));
  }

  private async takeOne(provider: string, report: CarrierReport): Promise<void> {
    const receivedAt = new Date(this.clock.now()).toISOString();
    const received = deliveryReportOf(provider, report, receivedAt);
    const handling = this.handler.handle([received]);
    const place = this.open.add(handling);
    try {
      await handling;
    } catch (error) {
      const fields = { err: error, provider, messageId: report.messageId };
      this.logger.warn(fields, 'a delivery report was not recorded');
      throw error;
    } finally {
      this.open.remove(place);
    }
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.open);
  }
}
