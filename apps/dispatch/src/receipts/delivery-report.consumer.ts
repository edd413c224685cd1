import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type DeliveryReport, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { DeliveryReportHandler } from './delivery-report.handler.js';

@Controller()
export class DeliveryReportConsumer {
  constructor(private readonly handler: DeliveryReportHandler) {}

  @BatchPattern(TOPICS.deliveryReports, { group: 'dispatch.delivery-reports', batchSizeMax: 500 })
  handle(batch: IncomingMessage<DeliveryReport>[]): Promise<void> {
    return this.handler.handle(batch.map(({ payload }) => payload));
  }
}
