import { ALL_TOPICS } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';

/** What a bus has not yet handed over. */
export interface BusState {
  groups: { topic: string; group: string; waiting: number }[];
  /** One line per dead letter. */
  deadLetters: string[];
}

/** Reads the embedded bus. Its logs are the outboxes of the services (ADR 6). */
export async function readEmbeddedBus(database: DatabasePool): Promise<BusState> {
  const groups: BusState['groups'] = [];
  for (const { name, owner } of ALL_TOPICS) {
    const { rows } = await database.query<BusState['groups'][number]>(
      `SELECT o.topic, o.consumer_group AS group, (
         SELECT count(*) FROM ${owner}.outbox AS row
         WHERE row.topic = o.topic AND (row.xid, row.position) > (o.xid, o.position)) AS waiting
       FROM bus.offsets AS o WHERE o.topic = $1`,
      [name],
    );
    groups.push(...rows);
  }
  const { rows } = await database.query<{ what: string }>(
    `SELECT consumer_group || ' ' || message_id || ': ' || reason AS what FROM bus.dead_letters`,
  );
  return { groups, deadLetters: rows.map(({ what }) => what) };
}
