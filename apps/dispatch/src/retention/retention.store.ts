import { Inject, Injectable } from '@nestjs/common';
import { idFloor } from '@watchword/contracts';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';

/** Names of the rows with the turn and with the progress of each walk; see `progress`. */
const TURN = 'retention';
export type Walk =
  | 'retention-content'
  | 'retention-scheduled-content'
  | 'retention-delayed-content'
  // Before that time, messages can be deleted.
  | 'retention-records';

const takeTurn = statement(
  'dispatch_retention_take_turn',
  `INSERT INTO progress (job, reached) VALUES ('${TURN}', $1)
   ON CONFLICT (job) DO UPDATE SET reached = excluded.reached WHERE progress.reached <= $2`,
);

const reached = statement(
  'dispatch_retention_reached',
  'SELECT reached FROM progress WHERE job = $1',
);

const first = statement(
  'dispatch_retention_first',
  'SELECT id FROM messages WHERE id >= $1 ORDER BY id LIMIT 1',
);

const reach = statement(
  'dispatch_retention_reach',
  `INSERT INTO progress (job, reached) VALUES ($1, $2)
   ON CONFLICT (job) DO UPDATE SET reached = greatest(progress.reached, excluded.reached)`,
);

/**
 * Ids begin with their time, so a walk by id needs no separate index. It waits for locked rows: a
 * skipped row would keep its text for weeks, because a finished span is not read again.
 */
const expireContents = statement(
  'dispatch_expire_contents',
  `UPDATE messages AS message SET body = NULL, original_body = NULL
   FROM (
     SELECT id FROM messages
     WHERE id >= $1 AND id < $2 AND body IS NOT NULL
       AND state NOT IN ('accepted', 'scheduled') AND (send_at IS NULL OR send_at < $3)
     ORDER BY id LIMIT $4 FOR NO KEY UPDATE
   ) AS old
   WHERE message.id = old.id`,
);

/**
 * Deletes the oldest rows with those of `parts`. It skips locked rows, which the next run finds.
 */
function purgeOf(table: string, isEnded: string, reference: string, parts: readonly string[]) {
  const deleted = parts.map(
    (part) => `of_${part} AS (DELETE FROM ${part} USING old WHERE ${part}.${reference} = old.id)`,
  );
  return statement(
    `dispatch_purge_${table}`,
    `WITH old AS (
       SELECT id FROM ${table} WHERE id < $1 AND ${isEnded}
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
     ), ${deleted.join(', ')}
     DELETE FROM ${table} USING old WHERE ${table}.id = old.id`,
  );
}

const PURGES = {
  messages: purgeOf('messages', `state NOT IN ('accepted', 'scheduled')`, 'message_id', [
    'attempts',
  ]),
  emails: purgeOf('emails', `status NOT IN ('queued', 'scheduled')`, 'email_id', [
    'email_recipients',
    'email_attempts',
  ]),
};
export type Purged = keyof typeof PURGES;

/** See `createPartitions`. */
const makePartitions = statement(
  'dispatch_make_message_partitions',
  'SELECT made FROM dispatch.make_partitions($1)',
);
const dropPartition = statement(
  'dispatch_drop_message_partition',
  'SELECT dispatch.drop_partition($1) AS dropped',
);

/** A span of time, by the ids that were drawn in it. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

@Injectable()
export class RetentionStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Returns false when another replica had the turn after that time. */
  async takeTurn(now: Date, lastBefore: Date): Promise<boolean> {
    return (await this.database.query(takeTurn, [now, lastBefore])).rowCount === 1;
  }

  /** Called after each statement, because a run may last longer than a turn. */
  async keepTurn(now: Date): Promise<void> {
    await this.database.query(reach, [TURN, now]);
  }

  /** Returns where a walk stopped. Null before its first step. */
  async reached(walk: Walk): Promise<Date | null> {
    const { rows } = await this.database.query<{ reached: Date }>(reached, [walk]);
    return rows[0]?.reached ?? null;
  }

  /** Returns when the first message was drawn at or after that time, or null. */
  async firstMs(fromMs: number): Promise<number | null> {
    const { rows } = await this.database.query<{ id: string }>(first, [idFloor(fromMs)]);
    return rows[0] ? Number.parseInt(rows[0].id.replaceAll('-', '').slice(0, 12), 16) : null;
  }

  async reach(walk: Walk, moment: Date): Promise<void> {
    await this.database.query(reach, [walk, moment]);
  }

  /** Deletes texts of messages in the span that were sent before that time. Returns the count. */
  async expireContents({ fromMs, toMs }: Span, sentBefore: Date, max: number): Promise<number> {
    const values = [idFloor(fromMs), idFloor(toMs), sentBefore, max];
    return (await this.database.query(expireContents, values)).rowCount;
  }

  async purge(what: Purged, before: Date, max: number): Promise<number> {
    return (await this.database.query(PURGES[what], [idFloor(before.getTime()), max])).rowCount;
  }

  /** Makes the partitions of this month and the next. Returns the names of new ones. */
  async makePartitions(at: Date): Promise<string[]> {
    const { rows } = await this.database.query<{ made: string }>(makePartitions, [at]);
    return rows.map(({ made }) => made);
  }

  /** Drops a partition that holds only older messages. Returns its name, or null. */
  async dropPartition(before: Date): Promise<string | null> {
    const { rows } = await this.database.query<{ dropped: string | null }>(dropPartition, [before]);
    return rows[0]!.dropped;
  }
}
