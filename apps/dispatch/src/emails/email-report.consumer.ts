import type { Bus, Subscription } from '@watchword/bus';
import { type EmailReport, TOPICS } from '@watchword/contracts';
import type { EmailReportHandler } from './email-report.handler.js';

export function consumeEmailReports(
  bus: Bus,
  handler: Pick<EmailReportHandler, 'handle'>,
): Promise<Subscription> {
  return bus.subscribe<EmailReport>(
    TOPICS.emailReports,
    { group: 'dispatch.email-reports', batchSizeMax: 256 },
    (batch) => handler.handle(batch.map(({ payload }) => payload)),
  );
}
