import type { Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { DeadLetter, DeadLetterCount } from '../bus.port.js';
import { entryOf, type LogEntry, type LogRow } from '../outbox/outbox-reader.js';

/** Channel of a notification for a requested replay. The payload is `<topic> <group>`. */
export const REPLAY_CHANNEL = 'bus_replays';

interface Burial {
  entry: LogEntry;
  reason: string;
  attempts: number;
}

interface LetterRow {
  message_id: string;
  type: string;
  consumer_group: string;
  position: number;
  reason: string;
  attempts: number;
  died_at: Date;
}

/** A message that is redelivered after a crash may be buried twice. The row is then overwritten. */
const bury = statement(
  'bus-dead-letter-bury',
  `INSERT INTO bus.dead_letters (topic, consumer_group, xid, position, key, message_id, type,
                                 traceparent, occurred_at, payload, reason, attempts)
   VALUES ($1, $2, $3::xid8, $4, $5, $6, $7, $8, $9::timestamptz, $10, $11, $12)
   ON CONFLICT (topic, consumer_group, position) DO UPDATE
     SET reason = excluded.reason, attempts = excluded.attempts, died_at = now(),
         replay_asked_at = NULL`,
);

const list = statement(
  'bus-dead-letter-list',
  `SELECT message_id, type, consumer_group, position, reason, attempts, died_at
     FROM bus.dead_letters
    WHERE topic = $1 AND consumer_group = coalesce($2, consumer_group) AND replay_asked_at IS NULL
    ORDER BY position LIMIT $3`,
);

const count = statement(
  'bus-dead-letter-count',
  `SELECT topic, consumer_group AS group, count(*)::integer AS count FROM bus.dead_letters
    WHERE topic = ANY ($1::text[]) AND replay_asked_at IS NULL GROUP BY topic, consumer_group`,
);

const askReplay = statement(
  'bus-dead-letter-ask-replay',
  `WITH asked AS (
     UPDATE bus.dead_letters SET replay_asked_at = now()
      WHERE topic = $1 AND consumer_group = $2 AND replay_asked_at IS NULL
     RETURNING 1
   )
   SELECT (SELECT count(*) FROM asked)::integer AS asked,
          pg_notify('${REPLAY_CHANNEL}', $1 || ' ' || $2)`,
);

const discard = statement(
  'bus-dead-letter-discard',
  `DELETE FROM bus.dead_letters
    WHERE topic = $1 AND consumer_group = $2 AND replay_asked_at IS NULL`,
);

const takeReplays = statement(
  'bus-dead-letter-take-replays',
  `SELECT xid, position, key, message_id, type, traceparent, occurred_at, payload,
          died_at::text AS "diedAt"
     FROM bus.dead_letters
    WHERE topic = $1 AND consumer_group = $2 AND replay_asked_at IS NOT NULL
    ORDER BY position LIMIT $3`,
);

const settle = statement(
  'bus-dead-letter-settle',
  `DELETE FROM bus.dead_letters AS letter
    USING unnest($3::bigint[], $4::timestamptz[]) AS replayed (position, died_at)
    WHERE topic = $1 AND consumer_group = $2
      AND letter.position = replayed.position AND letter.died_at = replayed.died_at`,
);

/** `diedAt` has the digits of the database, which tell one death from the next. */
interface ReplayedLetter extends LogEntry {
  readonly diedAt: string;
}

/** Dead letters of the groups. */
export class DeadLetterStore {
  constructor(private readonly database: Queryable) {}

  async bury(topic: Topic, group: string, letter: Burial): Promise<void> {
    const { at, key, id, type, traceparent, time, payload } = letter.entry;
    crashPoint('bus.bury.before-commit');
    await this.database.query(bury, [
      topic.name,
      group,
      at.xid,
      at.position,
      key,
      id,
      type,
      traceparent ?? null,
      time,
      payload,
      letter.reason,
      letter.attempts,
    ]);
    crashPoint('bus.bury.after-commit');
  }

  async list(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    const { rows } = await this.database.query<LetterRow>(list, [topic.name, group, limit]);
    return rows.map((row) => ({
      id: row.message_id,
      type: row.type,
      group: row.consumer_group,
      reason: row.reason,
      attempts: row.attempts,
      diedAt: row.died_at.toISOString(),
      origin: { topic: topic.name, partition: 0, offset: String(row.position) },
    }));
  }

  async count(topics: readonly Topic[]): Promise<DeadLetterCount[]> {
    const names = topics.map(({ name }) => name);
    return (await this.database.query<DeadLetterCount>(count, [names])).rows;
  }

  /** Marks all letters for the group's consumer, in any process. Returns the count. */
  async askReplay(topic: Topic, group: string): Promise<number> {
    const { rows } = await this.database.query<{ asked: number }>(askReplay, [topic.name, group]);
    return rows[0]?.asked ?? 0;
  }

  /** Deletes all letters without a requested replay. Returns the count. */
  async discard(topic: Topic, group: string): Promise<number> {
    return (await this.database.query(discard, [topic.name, group])).rowCount ?? 0;
  }

  async takeReplays(topic: Topic, group: string, limit: number): Promise<ReplayedLetter[]> {
    const asked = [topic.name, group, limit];
    const { rows } = await this.database.query<LogRow & { diedAt: string }>(takeReplays, asked);
    return rows.map((row) => ({ ...entryOf(row), diedAt: row.diedAt }));
  }

  /** Deletes the replayed letters, except those that failed again, whatever was asked of them since. */
  async settle(topic: Topic, group: string, letters: readonly ReplayedLetter[]): Promise<void> {
    const positions = letters.map((letter) => letter.at.position);
    const diedAt = letters.map((letter) => letter.diedAt);
    await this.database.query(settle, [topic.name, group, positions, diedAt]);
  }
}
