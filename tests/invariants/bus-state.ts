import { ALL_TOPICS } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';

/** What a bus has not yet handed over. */
export interface BusState {
  groups: { topic: string; group: string; waiting: number }[];
  /** One line per dead letter. */
  deadLetters: string[];
}

/** Reads the embedded bus: the queues of the services. */
export async function readEmbeddedBus(database: DatabasePool): Promise<BusState> {
  const state: BusState = { groups: [], deadLetters: [] };
  for (const owner of new Set(ALL_TOPICS.map((topic) => topic.owner))) {
    const groups = await database.query<BusState['groups'][number]>(
      `SELECT topic, reader AS group, (
         SELECT count(*) FROM ${owner}.message_queue AS o
         WHERE o.topic = r.topic AND o.reader = r.reader AND failed_at IS NULL) AS waiting
       FROM ${owner}.message_queue_readers AS r`,
    );
    const letters = await database.query<{ what: string }>(
      `SELECT reader || ' ' || message_id || ': ' || reason AS what
       FROM ${owner}.message_queue WHERE failed_at IS NOT NULL`,
    );
    state.groups.push(...groups.rows);
    state.deadLetters.push(...letters.rows.map(({ what }) => what));
  }
  return state;
}
