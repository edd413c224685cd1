import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type SendPlatformEmail, TOPICS } from '@watchword/contracts';
import { BatchPattern } from '@watchword/platform';
import { platformCommand } from './platform-email.policy.js';
import { SendEmailsHandler } from './send-emails.handler.js';

/** Sends emails of the platform like every email, without a charge. */
@Controller()
export class PlatformEmailConsumer {
  constructor(private readonly handler: SendEmailsHandler) {}

  @BatchPattern(TOPICS.platformEmails, { group: 'dispatch.platform-emails', batchSizeMax: 64 })
  handle(batch: IncomingMessage<SendPlatformEmail>[]): Promise<void> {
    return this.handler.handle(batch.map(({ payload }) => platformCommand(payload)));
  }
}
