import { MicroBatcher } from '@watchword/batching';
import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type DatabasePool, statement, type Statement } from '@watchword/postgres';
import type { OutgoingMessage } from '../bus.port.js';

export interface Publication {
  topic: Topic;
  messages: readonly OutgoingMessage[];
}

export type OutboxWriter = MicroBatcher<Publication, void>;

const PUBLICATIONS_MAX = 256;
const PUBLICATIONS_WAITING_MAX = 10_000;

/**
 * Returns a writer that puts all messages of the same time into one insert. One insert runs at a
 * time, which keeps the order.
 */
export function outboxWriter(owner: ServiceName, pool: DatabasePool): OutboxWriter {
  const insert = statement(
    `bus-publish-${owner}`,
    `INSERT INTO ${owner}.outbox
       (topic, reader, key, message_id, type, traceparent, occurred_at, payload)
     SELECT topic, reader, key, message_id, type, traceparent, occurred_at::timestamptz, payload
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                   $7::text[]) WITH ORDINALITY
         AS m (topic, key, message_id, type, traceparent, occurred_at, payload, place)
       JOIN ${owner}.outbox_readers USING (topic)
      ORDER BY place`,
  );
  return new MicroBatcher({
    name: `the outbox of ${owner}`,
    flush: (publications) => insertAll(pool, insert, publications),
    sizeMax: PUBLICATIONS_MAX,
    queueMax: PUBLICATIONS_WAITING_MAX,
  });
}

async function insertAll(
  pool: DatabasePool,
  insert: Statement,
  publications: readonly Publication[],
): Promise<void[]> {
  const columns: (string | null)[][] = [[], [], [], [], [], [], []];
  for (const { topic, messages } of publications) {
    for (const message of messages) {
      const { key, id, type, traceparent, time, payload } = message;
      const row = [topic.name, key, id, type, traceparent ?? null, time, payload];
      row.forEach((value, column) => columns[column]?.push(value));
    }
  }
  crashPoint('bus.publish.before-commit');
  await pool.query(insert, columns);
  crashPoint('bus.publish.after-commit');
  return publications.map(() => undefined);
}
