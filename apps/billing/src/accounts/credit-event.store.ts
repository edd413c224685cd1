import { type CreditLow, type CreditToppedUp, TOPICS } from '@watchword/contracts';
import { type Queryable, statement } from '@watchword/postgres';

const announce = statement(
  'billing.announce-top-up',
  `INSERT INTO billing.outbox (topic, key, message_id, type, occurred_at, payload)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Published when, and only if, the transaction around it commits. */
export class CreditEventStore {
  constructor(private readonly database: Queryable) {}

  async announce(event: CreditToppedUp | CreditLow): Promise<void> {
    const [name, type] =
      event.type === 'credit.low'
        ? ['low', 'svc.credit-low.v1']
        : ['top-up', 'svc.credit-topped-up.v1'];
    await this.database.query(announce, [
      TOPICS.creditEvents.name,
      event.workspace_id,
      `${name}-${event.entry_id}`,
      type,
      event.occurred_at,
      JSON.stringify(event),
    ]);
  }
}
