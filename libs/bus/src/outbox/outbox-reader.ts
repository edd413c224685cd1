import type { Topic } from '@watchword/contracts';
import { type Queryable, statement, type Statement } from '@watchword/postgres';
import { type OutboxHolders, writersOf } from './outbox-holders.js';

/** A position in the log of a topic, after a message. */
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
  /** JSON text, not parsed yet. */
  readonly payload: string;
}

export interface LogRead {
  readonly entries: readonly LogEntry[];
  /**
   * Whether there are more messages, which wait for an older transaction that may add earlier ones.
   */
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

interface ReadRow extends LogRow {
  settled: boolean;
  /** Whether it concerns a reader that respects every transaction of the server. */
  atFirstSight: boolean;
}

/** Milliseconds after which ordinary transactions have ended. */
const CAREFUL_AFTER_MS = 500;
/**
 * Milliseconds until a log line for operators. Our transactions take milliseconds, but a hanging
 * one may last 10 s.
 */
const TELL_AFTER_MS = 5_000;

/**
 * Reads a topic's log in commit-safe order, for the keeper of the offsets: the embedded bus, or a
 * relay to Kafka under the service's own role.
 *
 * Rows of one topic are ordered by `(xid, position)`. Rows as young as the oldest running
 * transaction are `held` back, because passing them could skip that transaction's rows for ever.
 * They are fetched all the same, so that the reader reads again soon. When nothing is held, the
 * next notification is early enough.
 *
 * Transactions run on the whole server, and most long ones are not ours. So a reader that has found
 * only held rows for a while asks `carefully`: it ignores transactions that cannot write this
 * outbox (see `writersOf`), until nothing is held for ordinary reads. Rows that are still held are
 * logged.
 *
 * Transaction ids belong to one server. Physical backups keep them; `pg_dump` into another server
 * does not. See `ahead-of-server.ts` and `deploy/after-restore.sql`.
 */
export class OutboxReader {
  private readonly readAfter: Statement;
  private readonly readCarefully: Statement;
  /** Time since which ordinary reads find held rows. */
  private heldSince: number | undefined;
  /** Time since which careful reads find only held rows, and time of the last log line. */
  private stuckSince: number | undefined;
  private toldAt = -Infinity;

  constructor(
    private readonly database: Queryable,
    private readonly topic: Topic,
    private readonly holders: OutboxHolders,
    /** Clock in milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {
    const { owner } = topic;
    const settled = 'xid < pg_snapshot_xmin(pg_current_snapshot())';
    const writersOldest = `coalesce((SELECT x.xid FROM ${writersOf(owner)} ORDER BY x.xid LIMIT 1),
                    pg_snapshot_xmax(pg_current_snapshot()))`;
    const columns = 'xid, position, key, message_id, type, traceparent, occurred_at, payload';
    const following = `FROM ${owner}.outbox
        WHERE topic = $1 AND (xid, position) > ($2::xid8, $3::bigint)
        ORDER BY xid, position
        LIMIT $4`;
    this.readAfter = statement(
      `bus-read-${owner}`,
      `SELECT ${columns}, ${settled} AS settled, true AS "atFirstSight" ${following}`,
    );
    this.readCarefully = statement(
      `bus-read-carefully-${owner}`,
      `SELECT ${columns}, xid < ${writersOldest} AS settled, ${settled} AS "atFirstSight"
         ${following}`,
    );
  }

  async read(after: LogPosition, limit: number): Promise<LogRead> {
    const { heldSince } = this;
    const carefully = heldSince !== undefined && this.now() - heldSince >= CAREFUL_AFTER_MS;
    const values = [this.topic.name, after.xid, after.position, limit];
    const { rows } = carefully
      ? await this.database.query<ReadRow>(this.readCarefully, values)
      : await this.database.query<ReadRow>(this.readAfter, values);
    const settled = rows.filter((row) => row.settled);
    this.note(rows, settled.length, carefully);
    await this.tellWhenStuck();
    return { entries: settled.map(entryOf), held: settled.length < rows.length };
  }

  private note(rows: readonly ReadRow[], settled: number, carefully: boolean): void {
    const isHeld = rows.length > 0 && settled === 0;
    if (isHeld) {
      const now = this.now();
      this.heldSince ??= now;
      this.stuckSince ??= now;
      return;
    }
    this.stuckSince = undefined;
    // An empty result says nothing about the rows that were held before.
    const isOver = carefully ? rows.length > 0 && rows.every((row) => row.atFirstSight) : true;
    if (isOver) this.heldSince = undefined;
  }

  private async tellWhenStuck(): Promise<void> {
    if (this.stuckSince === undefined) return;
    const now = this.now();
    if (now - Math.max(this.stuckSince, this.toldAt) < TELL_AFTER_MS) return;
    this.toldAt = now;
    await this.holders.tell(this.topic.owner, (now - this.stuckSince) / 1_000);
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
