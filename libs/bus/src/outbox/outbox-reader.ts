import type { Topic } from '@watchword/contracts';
import { type Queryable, statement, type Statement } from '@watchword/postgres';
import { type OutboxHolders, writersOf } from './outbox-holders.js';

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

interface ReadRow extends LogRow {
  settled: boolean;
  /** Whether it is for a reader that takes every transaction of the server into account. */
  atFirstSight: boolean;
}

/** Ordinary transactions have ended by then. */
const carefulAfterMs = 500;
/** For operators to look at: ours take milliseconds, though one that hangs may last for 10 s. */
const tellAfterMs = 5_000;

/**
 * Reads a topic's log in commit-safe order for the keeper of the offsets: the embedded bus, or a
 * relay to Kafka under the service's own role.
 *
 * Rows of one topic are ordered by `(xid, position)`. Those of a transaction as young as the
 * oldest one that still runs are `held` back: passing them could mean passing that one's rows for
 * good. They are fetched all the same, because that tells a reader that it is worth asking again
 * soon; when nothing is held, the next notification is early enough.
 *
 * Transactions run on the whole server, and most of what stays open there is none of ours. So a
 * reader that has found nothing but held rows for a while asks `carefully`, leaving out of account
 * who cannot write this outbox (see `writersOf`), and goes on doing so until nothing is held for
 * those who do not look as closely. What still holds is logged.
 *
 * Transaction ids belong to one server of PostgreSQL: physical backups keep them, `pg_dump` into
 * another server does not; see `ahead-of-server.ts` and `repair/repair-outboxes.ts`.
 */
export class OutboxReader {
  private readonly readAfter: Statement;
  private readonly readCarefully: Statement;
  /** Since when rows are held at first sight. */
  private heldSince: number | undefined;
  /** Since when nothing else was found, and when that was logged last. */
  private stuckSince: number | undefined;
  private toldAt = -Infinity;

  constructor(
    private readonly database: Queryable,
    private readonly topic: Topic,
    private readonly holders: OutboxHolders,
    /** Of milliseconds. */
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
    const carefully = heldSince !== undefined && this.now() - heldSince >= carefulAfterMs;
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
    // No rows at all tell nothing about what held the last ones.
    const isOver = carefully ? rows.length > 0 && rows.every((row) => row.atFirstSight) : true;
    if (isOver) this.heldSince = undefined;
  }

  private async tellWhenStuck(): Promise<void> {
    if (this.stuckSince === undefined) return;
    const now = this.now();
    if (now - Math.max(this.stuckSince, this.toldAt) < tellAfterMs) return;
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
