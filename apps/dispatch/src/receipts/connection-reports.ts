import { Inject, Injectable } from '@nestjs/common';
import { type CarrierReport, deliveryReportOf } from '@watchword/carriers';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { DeliveryReportHandler } from './delivery-report.handler.js';

/** Reports that accounts get on their own connections and not over HTTP. */
@Injectable()
export class ConnectionReports {
  constructor(
    private readonly handler: DeliveryReportHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Resolves once the reports are on record, as `ReportSink` promises. */
  async take(provider: string, reports: readonly CarrierReport[]): Promise<void> {
    const receivedAt = new Date(this.clock.now()).toISOString();
    const received = reports.map((report) => deliveryReportOf(provider, report, receivedAt));
    await Promise.all(received.map((report) => this.handler.handle([report])));
  }
}
