import { Inject, Injectable } from '@nestjs/common';
import { idFloor } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

const purgeKeys = statement(
  'billing.purge-idempotency-keys',
  `DELETE FROM billing.idempotency_keys WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM billing.idempotency_keys
     WHERE created_at <= $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
   ))`,
);

/** Message ids begin with their time, so the primary key finds the oldest. */
const purgeAcceptances = statement(
  'billing.purge-acceptances',
  `DELETE FROM billing.acceptances WHERE message_id IN (
     SELECT message_id FROM billing.acceptances
     WHERE message_id < $1 AND created_at <= $2 ORDER BY message_id LIMIT $3
   )`,
);

const purgeQuotes = statement(
  'billing.purge-quotes',
  `DELETE FROM billing.quotes WHERE id IN (
     SELECT id FROM billing.quotes WHERE id < $1 ORDER BY id LIMIT $2
   )`,
);

const purgeBatches = statement(
  'billing.purge-batches',
  `DELETE FROM billing.batches WHERE id IN (
     SELECT id FROM billing.batches WHERE id < $1 AND created_at <= $2 ORDER BY id LIMIT $3
   )`,
);

const purgeKeySpending = statement(
  'billing.purge-key-spending',
  `DELETE FROM billing.key_spending WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM billing.key_spending
     WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED
   ))`,
);

const purgeWindows = statement(
  'billing.purge-send-windows',
  `DELETE FROM billing.send_windows WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM billing.send_windows WHERE ends_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
   ))`,
);

/** Each method returns the number of deleted rows. */
@Injectable()
export class PurgeStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async purgeKeys(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeKeys, [before, max])).rowCount;
  }

  async purgeAcceptances(before: Date, max: number): Promise<number> {
    const values = [idFloor(before.getTime()), before, max];
    return (await this.database.query(purgeAcceptances, values)).rowCount;
  }

  async purgeBatches(before: Date, max: number): Promise<number> {
    const values = [idFloor(before.getTime()), before, max];
    return (await this.database.query(purgeBatches, values)).rowCount;
  }

  async purgeKeySpending(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeKeySpending, [before, max])).rowCount;
  }

  async purgeWindows(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeWindows, [before, max])).rowCount;
  }

  async purgeQuotes(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeQuotes, [idFloor(before.getTime()), max])).rowCount;
  }
}
