import { Controller } from '@nestjs/common';
import type { IncomingMessage } from '@watchword/bus';
import { type CreditEvent, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { BatchPattern } from '@watchword/platform';
import { Emails } from '../emails/emails.js';
import type { Message } from '../messages/message.js';
import { settle } from '../messages/message-change.policy.js';
import { MessageChanges } from '../messages/message-changes.handler.js';

/** Makes failures public after billing's event that the ledger has the refund. */
@Controller()
export class CreditEventConsumer {
  constructor(
    private readonly changes: MessageChanges,
    private readonly emails: Emails,
  ) {}

  @BatchPattern(TOPICS.creditEvents, { group: 'dispatch.settlement', batchSizeMax: 500 })
  async handle(batch: IncomingMessage<CreditEvent>[]): Promise<void> {
    const events = batch.map(({ payload }) => payload);
    await Promise.all([this.settleTexts(events), this.emails.settle(events)]);
  }

  private async settleTexts(events: readonly CreditEvent[]): Promise<void> {
    const refunds = events.filter((event) => event.type === 'credit.refunded');
    crashPoint('dispatch.settle.before-change');
    await this.changes.apply(
      refunds.map((refund) => ({
        id: refund.message_id,
        change: (message: Message, at: Date) => settle(message, refund.entry_id !== null, at),
      })),
    );
    crashPoint('dispatch.settle.after-change');
  }
}
