import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type EmailReport, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { EmailReportHandler } from './email-report.handler.js';

@Controller()
export class EmailReportConsumer {
  constructor(private readonly handler: EmailReportHandler) {}

  @BatchPattern(TOPICS.emailReports, { group: 'dispatch.email-reports', batchSizeMax: 256 })
  handle(batch: IncomingMessage<EmailReport>[]): Promise<void> {
    return this.handler.handle(batch.map(({ payload }) => payload));
  }
}
