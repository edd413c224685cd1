import type { ServiceName, Topic } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import type { LogPosition } from './outbox-reader.js';

/** What was done to the outbox of a service. */
export interface RestoredOutbox {
  outbox: ServiceName;
  /** Of messages and offsets, those with transaction ids that this server has yet to give out. */
  messagesAhead: number;
  offsetsAhead: number;
  /** All that the outbox holds, which is now in the order of its positions. */
  messages: number;
  /** Those that at least one of its readers has not passed. */
  waiting: number;
  offsets: number;
}

export interface LoadedPosition extends LogPosition {
  isAhead: boolean;
}

/**
 * For what went on running while the server behind its address became another one: better to say so
 * again and again than to wait in silence for transactions that may never come. It goes on by
 * itself once a start has mended.
 */
export function refuseAhead({ isAhead, xid, position }: LoadedPosition): LogPosition {
  if (!isAhead) return { xid, position };
  throw new Error(
    'the offset is ahead of all transactions of this server: start a process again, ' +
      'which puts a restored database in order',
  );
}

/** Of an offset, in a statement that returns it. */
export const isAheadColumn = 'xid >= pg_snapshot_xmax(pg_current_snapshot()) AS "isAhead"';

/** Any constant: processes that start at once look one after the other. */
const lockKey = 0x6f_75_74_62;

/**
 * Mends outboxes that were dumped on one server of PostgreSQL and restored on another one, whose
 * transaction ids are lower. Their offsets would be ahead of all that is written from then on, and
 * nothing would be sent; their messages would count as those of running transactions.
 *
 * To be called at every start before anything reads, when the migrations have run; `adminUrl` is a
 * user that owns the schemas. Where no id is from the future, that is all it finds out, with a few
 * looks into indexes; no server that has given the ids itself can have one, nor a physical copy of
 * it. Dead letters carry ids too, which nobody compares with anything.
 */
export async function mendRestoredOutboxes(
  adminUrl: string,
  topics: readonly Topic[],
): Promise<RestoredOutbox[]> {
  const admin = createClient({
    url: adminUrl,
    applicationName: 'watchword-restored',
    statementTimeoutMs: 0,
  });
  await admin.connect();
  try {
    const { rows } = await admin.query(`SELECT to_regclass('bus.offsets') IS NOT NULL AS found`);
    const mended: RestoredOutbox[] = [];
    for (const owner of new Set(topics.map((topic) => topic.owner))) {
      const names = topics.filter((topic) => topic.owner === owner).map(({ name }) => name);
      const sql = statementsOf(owner, readersOf(owner, rows[0].found));
      if (!(await admin.query(sql.isAhead, [names])).rows[0].is_ahead) continue;
      const outcome = await mend(admin, owner, names, sql);
      if (outcome) mended.push(outcome);
    }
    return mended;
  } finally {
    await admin.end();
  }
}

type Admin = ReturnType<typeof createClient>;
type Statements = ReturnType<typeof statementsOf>;

interface Readers {
  /** The tables of their offsets. */
  tables: readonly string[];
  /** All of them: `topic, xid, position`; $1 are the topics of the owner. */
  offsets: string;
}

/** The relay to Kafka, and the groups of the embedded bus if this database has ever had one. */
function readersOf(owner: ServiceName, hasBus: boolean): Readers {
  const tables = [`${owner}.outbox_offsets`, ...(hasBus ? ['bus.offsets'] : [])];
  const selects = tables.map(
    (table) => `SELECT topic, xid, position FROM ${table} WHERE topic = ANY ($1)`,
  );
  return { tables, offsets: `(${selects.join(' UNION ALL ')})` };
}

/** Undefined when another process has mended it meanwhile. */
async function mend(
  admin: Admin,
  owner: ServiceName,
  names: readonly string[],
  sql: Statements,
): Promise<RestoredOutbox | undefined> {
  await admin.query('BEGIN');
  await admin.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
  await admin.query(sql.lock);
  const [found] = (await admin.query(sql.count, [names])).rows;
  if (found.messages_ahead === 0 && found.offsets_ahead === 0) {
    await admin.query('ROLLBACK');
    return undefined;
  }
  let offsets = 0;
  for (const update of sql.putBack) {
    offsets += (await admin.query(update, [names])).rowCount ?? 0;
  }
  await admin.query(sql.renumber);
  await admin.query('COMMIT');
  return {
    outbox: owner,
    messagesAhead: found.messages_ahead,
    offsetsAhead: found.offsets_ahead,
    messages: found.messages,
    waiting: found.waiting,
    offsets,
  };
}

/**
 * Every row gets the xid 1, which no transaction has: so they are in the order of their positions,
 * before all that any transaction will ever write, be it one that runs while this is done. The
 * offset of each reader is put before the first row that it may not have passed.
 *
 * It has passed a row if its offset says so and its position as well: rows that were written since
 * the restore, by a program that did not mend, have ids before the offset, but positions behind it,
 * for the restore has set the sequence. A reader that has passed all stays at its position. What it
 * has passed behind the first it has not comes again: consumers deduplicate.
 */
function statementsOf(owner: ServiceName, { tables, offsets }: Readers) {
  const outbox = `${owner}.outbox`;
  const ahead = 'xid >= pg_snapshot_xmax(pg_current_snapshot())';
  const isUnread = '(b.position > o.position OR (b.xid, b.position) > (o.xid, o.position))';
  return {
    // A look for each topic at its end of the primary key, never at the whole table.
    isAhead: `
      SELECT EXISTS (SELECT FROM ${offsets} AS o WHERE ${ahead})
          OR EXISTS (SELECT FROM unnest($1::text[]) AS t (topic), LATERAL (
               SELECT FROM ${outbox} AS b WHERE b.topic = t.topic AND b.${ahead} LIMIT 1
             ) AS found) AS is_ahead`,
    // Readers may look; whoever writes has ended, or waits.
    lock: `LOCK TABLE ${[outbox, ...tables].join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
    count: `
      SELECT count(*)::integer AS messages,
             count(*) FILTER (WHERE b.${ahead})::integer AS messages_ahead,
             count(*) FILTER (WHERE EXISTS (
               SELECT FROM ${offsets} AS o WHERE o.topic = b.topic AND ${isUnread}
             ))::integer AS waiting,
             (SELECT count(*) FROM ${offsets} AS o WHERE ${ahead})::integer AS offsets_ahead
        FROM ${outbox} AS b`,
    putBack: tables.map(
      (table) => `
      UPDATE ${table} AS o
         SET xid = '1', position = least(o.position, coalesce((
               SELECT min(b.position) - 1 FROM ${outbox} AS b
                WHERE b.topic = o.topic AND ${isUnread}), o.position))
       WHERE o.topic = ANY ($1)`,
    ),
    renumber: `UPDATE ${outbox} SET xid = '1'`,
  };
}
