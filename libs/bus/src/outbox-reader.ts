import type { Topic } from '@watchword/contracts';
import { type Queryable, statement, type Statement } from '@watchword/postgres';

/** A place in the log of a topic: behind a message. */
export interface LogPosition {
  readonly xid: string;
  readonly position: number;
}

export interface LogEntry {
  readonly at: LogPosition;
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly time: string;
  readonly traceparent?: string;
  /** JSON text, not yet looked at. */
  readonly payload: string;
}

export interface LogRead {
  readonly entries: readonly LogEntry[];
  /** There are more messages, but an older transaction still runs and may yet add some before. */
  readonly held: boolean;
}

export interface LogRow {
  xid: string;
  position: number;
  key: string;
  message_id: string;
  type: string;
  traceparent: string | null;
  occurred_at: Date;
  payload: string;
}

/**
 * Reads a topic's log in commit-safe order, whoever keeps the offsets: the embedded bus, or a
 * relay to Kafka under the service's own role.
 *
 * Rows of one topic are ordered by `(xid, position)`. Those of a transaction as young as the
 * oldest one that still runs are `held` back: passing them could mean passing that one's rows for
 * good. They are fetched all the same, because that tells a reader that it is worth asking again
 * soon; when nothing is held, the next notification is early enough.
 *
 * Transaction ids belong to one cluster of PostgreSQL: physical backups keep them, `pg_dump` into
 * another cluster does not. Drain the logs before such a move, and start both tables empty after
 * it.
 */
export class OutboxReader {
  private readonly readAfter: Statement;

  constructor(
    private readonly database: Queryable,
    private readonly topic: Topic,
  ) {
    this.readAfter = statement(
      `bus-read-${topic.owner}`,
      `SELECT xid, position, key, message_id, type, traceparent, occurred_at, payload,
              xid < pg_snapshot_xmin(pg_current_snapshot()) AS settled
         FROM ${topic.owner}.outbox
        WHERE topic = $1 AND (xid, position) > ($2::xid8, $3::bigint)
        ORDER BY xid, position
        LIMIT $4`,
    );
  }

  async read(after: LogPosition, limit: number): Promise<LogRead> {
    const { rows } = await this.database.query<LogRow & { settled: boolean }>(this.readAfter, [
      this.topic.name,
      after.xid,
      after.position,
      limit,
    ]);
    const settled = rows.filter((row) => row.settled);
    return { entries: settled.map(entryOf), held: settled.length < rows.length };
  }
}

export function entryOf(row: LogRow): LogEntry {
  return {
    at: { xid: row.xid, position: row.position },
    id: row.message_id,
    key: row.key,
    type: row.type,
    time: row.occurred_at.toISOString(),
    traceparent: row.traceparent ?? undefined,
    payload: row.payload,
  };
}
