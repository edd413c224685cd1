import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type EmailReport, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { Emails } from './emails.js';

@Controller()
export class EmailReportConsumer {
  constructor(private readonly handler: Emails) {}

  @BatchPattern(TOPICS.emailReports, { group: 'dispatch.email-reports', batchSizeMax: 256 })
  handle(batch: IncomingMessage<EmailReport>[]): Promise<void> {
    return this.handler.report(batch.map(({ payload }) => payload));
  }
}
