import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type CreditEvent, type CreditRefunded, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { BatchPattern } from '@watchword/platform';
import { settled } from '../emails/email-change.policy.js';
import { EmailChanges } from '../emails/email-changes.handler.js';
import type { Email } from '../emails/email.js';
import type { Message } from '../messages/message.js';
import { settle } from '../messages/message-change.policy.js';
import { MessageChanges } from '../messages/message-changes.handler.js';

/** Makes failures public after billing's event that the ledger has the refund. */
@Controller()
export class CreditEventConsumer {
  constructor(
    private readonly texts: MessageChanges,
    private readonly emails: EmailChanges,
  ) {}

  @BatchPattern(TOPICS.creditEvents, { group: 'dispatch.settlement', batchSizeMax: 500 })
  async handle(batch: IncomingMessage<CreditEvent>[]): Promise<void> {
    const events = batch.map(({ payload }) => payload);
    const refunds = events.filter((event) => event.type === 'credit.refunded');
    await Promise.all([this.settleTexts(refunds), this.settleEmails(refunds)]);
  }

  private async settleTexts(refunds: readonly CreditRefunded[]): Promise<void> {
    crashPoint('dispatch.settle.before-change');
    await this.texts.apply(
      refunds.map((refund) => ({
        id: refund.message_id,
        change: (message: Message, at: Date) => settle(message, refund.entry_id !== null, at),
      })),
    );
    crashPoint('dispatch.settle.after-change');
  }

  private async settleEmails(refunds: readonly CreditRefunded[]): Promise<void> {
    crashPoint('dispatch.email-settle.before-change');
    await this.emails.apply(
      refunds.map((refund) => ({
        id: refund.message_id,
        change: (email: Email, at: Date) => settled(email, refund.entry_id !== null, at),
      })),
    );
    crashPoint('dispatch.email-settle.after-change');
  }
}
