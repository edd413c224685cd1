import type { Bus, Subscription } from '@watchword/bus';
import { type DeliveryReport, TOPICS } from '@watchword/contracts';
import type { DeliveryReportHandler } from './delivery-report.handler.js';

export function consumeDeliveryReports(
  bus: Bus,
  handler: DeliveryReportHandler,
): Promise<Subscription> {
  return bus.subscribe<DeliveryReport>(
    TOPICS.deliveryReports,
    { group: 'dispatch.delivery-reports', batchSizeMax: 500 },
    (batch) => handler.handle(batch.map(({ payload }) => payload)),
  );
}
