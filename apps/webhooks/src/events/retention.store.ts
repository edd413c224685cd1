import { Inject, Injectable } from '@nestjs/common';
import { eventIdFloor, idFloor } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/**
 * Ids begin with their time, so keys find the oldest. Every workspace with events has a row of
 * numbers, from which its deliveries are reached by key.
 */
const purgeDeliveries = statement(
  'webhooks.purge-deliveries',
  `WITH old AS (
     SELECT delivery.workspace_id, delivery.id
     FROM webhooks.sequences AS known
     CROSS JOIN LATERAL (
       SELECT workspace_id, id FROM webhooks.deliveries
       WHERE workspace_id = known.workspace_id AND id < $1 AND status <> 'pending'
       ORDER BY id LIMIT $2
     ) AS delivery
     LIMIT $2
   ), gone AS (
     DELETE FROM webhooks.deliveries AS delivery USING old
     WHERE delivery.workspace_id = old.workspace_id AND delivery.id = old.id
     RETURNING delivery.id
   ), attempts AS (
     DELETE FROM webhooks.delivery_attempts AS attempt USING gone
     WHERE attempt.delivery_id = gone.id
   )
   SELECT count(*) AS count FROM gone`,
);

/** The partitions that a moment needs, and the oldest one that it no longer needs; see the functions. */
const makePartitions = statement(
  'webhooks.make-delivery-partitions',
  'SELECT made FROM webhooks.make_partitions($1)',
);
const dropPartition = statement(
  'webhooks.drop-delivery-partition',
  'SELECT webhooks.drop_partition($1) AS dropped',
);

const purgeEvents = statement(
  'webhooks.purge-events',
  `DELETE FROM webhooks.events WHERE id IN (
     SELECT id FROM webhooks.events AS event
     WHERE id < $1 AND occurred_at < $2 ORDER BY id LIMIT $3
   )`,
);

/** With the remains of an abandoned one. */
const purgeRecoveries = statement(
  'webhooks.purge-recoveries',
  `WITH gone AS (
     DELETE FROM webhooks.recoveries WHERE id IN (
       SELECT id FROM webhooks.recoveries WHERE id < $1 ORDER BY id LIMIT $2
     ) RETURNING id
   ), items AS (
     DELETE FROM webhooks.recovery_items AS item USING gone WHERE item.recovery_id = gone.id
   )
   SELECT count(*) AS count FROM gone`,
);

/** Those with no event any more. */
const purgeSilences = statement(
  'webhooks.purge-silences',
  `DELETE FROM webhooks.silences WHERE (endpoint_id, after_sequence) IN (
     SELECT endpoint_id, after_sequence FROM webhooks.silences WHERE ended_at < $1 LIMIT $2
   )`,
);

const purgeKeys = statement(
  'webhooks.purge-idempotency-keys',
  `DELETE FROM webhooks.idempotency_keys WHERE ctid = ANY (ARRAY (
     SELECT ctid FROM webhooks.idempotency_keys WHERE created_at < $1 LIMIT $2
   ))`,
);

@Injectable()
export class EventRetentionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns their names. */
  async makePartitions(at: Date): Promise<string[]> {
    const { rows } = await this.database.query<{ made: string }>(makePartitions, [at]);
    return rows.map(({ made }) => made);
  }

  /** The name of one that held only older deliveries; null when there is none. */
  async dropPartition(before: Date): Promise<string | null> {
    const { rows } = await this.database.query<{ dropped: string | null }>(dropPartition, [before]);
    return rows[0]!.dropped;
  }

  /** Returns how many were deleted, with their attempts. One that is still running stays. */
  async purgeDeliveries(before: Date, max: number): Promise<number> {
    const values = [idFloor(before.getTime()), max];
    const { rows } = await this.database.query<{ count: number }>(purgeDeliveries, values);
    return rows[0]!.count;
  }

  async purgeRecoveries(before: Date, max: number): Promise<number> {
    const values = [idFloor(before.getTime()), max];
    const { rows } = await this.database.query<{ count: number }>(purgeRecoveries, values);
    return rows[0]!.count;
  }

  async purgeSilences(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeSilences, [before, max])).rowCount;
  }

  async purgeKeys(before: Date, max: number): Promise<number> {
    return (await this.database.query(purgeKeys, [before, max])).rowCount;
  }

  async purgeEvents(before: Date, max: number): Promise<number> {
    const values = [eventIdFloor(before.getTime()), before, max];
    return (await this.database.query(purgeEvents, values)).rowCount;
  }
}
