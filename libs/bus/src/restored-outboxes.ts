import type { ServiceName, Topic } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { holdsAhead, isAhead, restoredChannel } from './ahead-of-server.js';

/** What was done to the outbox of a service. */
export interface RestoredOutbox {
  outbox: ServiceName;
  /** Of messages and offsets, those with transaction ids that this server has yet to give out. */
  messagesAhead: number;
  offsetsAhead: number;
  /** All of its topics that were put in order, which are now in that of their positions. */
  messages: number;
  /** Those that at least one of its readers has not passed. */
  waiting: number;
  offsets: number;
}

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
  const isStillAhead = (await admin.query(sql.isAhead, [names])).rows[0].is_ahead;
  if (!isStillAhead) {
    await admin.query('ROLLBACK');
    return undefined;
  }
  const disordered = (await admin.query(sql.disordered, [names])).rows.map(({ topic }) => topic);
  const [found] = (await admin.query(sql.count, [disordered])).rows;
  let offsets = 0;
  for (const update of sql.putBack) {
    offsets += (await admin.query(update, [disordered])).rowCount ?? 0;
  }
  await admin.query(sql.renumber, [disordered]);
  await admin.query(sql.tell, [disordered]);
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
 * Only topics that are not in order are touched. They are those that are ahead, and where some are,
 * also those of which a reader's offset has passed a row by its id, but not by its position: such a
 * row may have been written since the restore, before ids reached the offset.
 *
 * Every row of theirs gets the xid 1, which no transaction has: so they are in the order of their positions,
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
  const isUnread = '(b.position > o.position OR (b.xid, b.position) > (o.xid, o.position))';
  return {
    // A look for each topic at its end of the primary key, never at the whole table.
    isAhead: `
      SELECT EXISTS (SELECT FROM ${offsets} AS o WHERE ${isAhead('o.xid')})
          OR EXISTS (SELECT FROM unnest($1::text[]) AS t (topic)
                      WHERE ${holdsAhead(outbox, 't.topic')}) AS is_ahead`,
    disordered: `
      SELECT t.topic FROM unnest($1::text[]) AS t (topic)
       WHERE ${holdsAhead(outbox, 't.topic')}
          OR EXISTS (SELECT FROM ${offsets} AS o WHERE o.topic = t.topic AND (
               ${isAhead('o.xid')} OR EXISTS (
                 SELECT FROM ${outbox} AS b WHERE b.topic = t.topic
                    AND b.position > o.position AND (b.xid, b.position) <= (o.xid, o.position))))`,
    // Readers may look; whoever writes has ended, or waits.
    lock: `LOCK TABLE ${[outbox, ...tables].join(', ')} IN SHARE ROW EXCLUSIVE MODE`,
    count: `
      SELECT count(*)::integer AS messages,
             count(*) FILTER (WHERE ${isAhead('b.xid')})::integer AS messages_ahead,
             count(*) FILTER (WHERE EXISTS (
               SELECT FROM ${offsets} AS o WHERE o.topic = b.topic AND ${isUnread}
             ))::integer AS waiting,
             (SELECT count(*) FROM ${offsets} AS o WHERE ${isAhead('o.xid')})::integer
               AS offsets_ahead
        FROM ${outbox} AS b WHERE b.topic = ANY ($1)`,
    putBack: tables.map(
      (table) => `
      UPDATE ${table} AS o
         SET xid = '1', position = least(o.position, coalesce((
               SELECT min(b.position) - 1 FROM ${outbox} AS b
                WHERE b.topic = o.topic AND ${isUnread}), o.position))
       WHERE o.topic = ANY ($1)`,
    ),
    renumber: `UPDATE ${outbox} SET xid = '1' WHERE topic = ANY ($1)`,
    // Arrives when this is committed. Who cannot hear it has no lease either, and loads anew.
    tell: `SELECT pg_notify('${restoredChannel}', topic) FROM unnest($1::text[]) AS t (topic)`,
  };
}
