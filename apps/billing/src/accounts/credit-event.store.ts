import {
  type CreditLow,
  type CreditToppedUp,
  type CreditTopUpFailed,
  TOPICS,
} from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

const announce = statement(
  'billing.announce-top-up',
  `INSERT INTO billing.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
   SELECT topic, reader, $2, $3, $4, $5, $6 FROM billing.message_queue_readers WHERE topic = $1`,
);

/** Events that are published if, and only if, the surrounding transaction commits. */
export class CreditEventStore {
  constructor(private readonly database: Queryable) {}

  async announce(event: CreditToppedUp | CreditLow | CreditTopUpFailed): Promise<void> {
    await this.database.query(announce, [
      TOPICS.creditEvents.name,
      event.workspace_id,
      idOf(event),
      TYPES[event.type],
      event.occurred_at,
      JSON.stringify(event),
    ]);
  }
}

const TYPES = {
  'credit.low': 'svc.credit-low.v1',
  'credit.topped_up': 'svc.credit-topped-up.v1',
  'credit.top_up_failed': 'svc.credit-top-up-failed.v1',
} as const;

function idOf(event: CreditToppedUp | CreditLow | CreditTopUpFailed): string {
  if (event.type === 'credit.top_up_failed') return `top-up-failed-${event.payment_id}`;
  return `${event.type === 'credit.low' ? 'low' : 'top-up'}-${event.entry_id}`;
}
