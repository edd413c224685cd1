import type { Bus, Subscription } from '@watchword/bus';
import { type CreditEvent, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Emails } from '../emails/emails.js';
import type { Message } from '../messages/message.js';
import { settle } from '../messages/message-change.policy.js';
import type { MessageChanges } from '../messages/message-changes.handler.js';

/** Billing's word that a refund stands in the ledger makes the failure public. */
export function consumeCreditEvents(
  bus: Bus,
  changes: MessageChanges,
  emails: Pick<Emails, 'settle'>,
): Promise<Subscription> {
  return bus.subscribe<CreditEvent>(
    TOPICS.creditEvents,
    { group: 'dispatch.settlement', batchSizeMax: 500 },
    async (batch) => {
      const events = batch.map(({ payload }) => payload);
      await Promise.all([settleRefunds(changes, events), emails.settle(events)]);
    },
  );
}

export async function settleRefunds(
  changes: MessageChanges,
  events: readonly CreditEvent[],
): Promise<void> {
  const refunds = events.filter((event) => event.type === 'credit.refunded');
  crashPoint('dispatch.settle.before-change');
  await changes.apply(
    refunds.map((refund) => ({
      id: refund.message_id,
      change: (message: Message, at: Date) => settle(message, refund.entry_id !== null, at),
    })),
  );
  crashPoint('dispatch.settle.after-change');
}
