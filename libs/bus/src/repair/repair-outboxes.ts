import type { ServiceName, Topic } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { holdsAhead, isAhead, RESTORED_CHANNEL } from '../outbox/ahead-of-server.js';

export interface RepairedOutbox {
  outbox: ServiceName;
  /** Messages and offsets with transaction ids that this server has not reached. */
  messagesAhead: number;
  offsetsAhead: number;
  /** Messages of all repaired topics, now in the order of their positions. */
  messages: number;
  /** Messages that at least one reader has not passed. */
  waiting: number;
  offsets: number;
}

/** Any constant. Two repairs run one after the other. */
const LOCK_KEY = 0x6f_75_74_62;

/** Returns the services with an outbox from a server with higher transaction ids. */
export function outboxesAhead(
  adminUrl: string,
  topics: readonly Topic[],
): Promise<{ outbox: ServiceName }[]> {
  return eachAhead(adminUrl, topics, async (_, outbox) => ({ outbox }));
}

/**
 * Repairs outboxes that were dumped on one PostgreSQL server and restored on another with lower
 * transaction ids. Their offsets would be ahead of every later message, so nothing would be sent,
 * and their messages would look like those of running transactions.
 *
 * The user of `adminUrl` owns the schemas, and migrations have run. The original server, or a
 * physical copy of it, has nothing to repair. Dead letters have ids too, but nothing compares them.
 */
export function repairOutboxes(
  adminUrl: string,
  topics: readonly Topic[],
): Promise<RepairedOutbox[]> {
  return eachAhead(adminUrl, topics, repair);
}

async function eachAhead<Outcome>(
  adminUrl: string,
  topics: readonly Topic[],
  work: (
    admin: Admin,
    owner: ServiceName,
    names: readonly string[],
    sql: Statements,
  ) => Promise<Outcome | undefined>,
): Promise<Outcome[]> {
  const admin = createClient({
    url: adminUrl,
    applicationName: 'watchword-repair',
    statementTimeoutMs: 0,
  });
  await admin.connect();
  try {
    const isThere = async (table: string): Promise<boolean> =>
      (await admin.query('SELECT to_regclass($1) IS NOT NULL AS found', [table])).rows[0].found;
    const hasBus = await isThere('bus.offsets');
    const outcomes: Outcome[] = [];
    for (const owner of new Set(topics.map((topic) => topic.owner))) {
      if (!(await isThere(`${owner}.outbox_offsets`))) continue;
      const names = topics.filter((topic) => topic.owner === owner).map(({ name }) => name);
      const sql = statementsOf(owner, readersOf(owner, hasBus));
      if (!(await admin.query(sql.isAhead, [names])).rows[0].is_ahead) continue;
      const outcome = await work(admin, owner, names, sql);
      if (outcome) outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    await admin.end();
  }
}

type Admin = ReturnType<typeof createClient>;
type Statements = ReturnType<typeof statementsOf>;

interface Readers {
  /** Tables that hold the readers' offsets. */
  tables: readonly string[];
  /** SQL for all offsets: `topic, xid, position`. `$1` holds the owner's topics. */
  offsets: string;
}

/**
 * Returns the readers: the relay to Kafka, and the embedded bus's groups if this database ever had
 * one.
 */
function readersOf(owner: ServiceName, hasBus: boolean): Readers {
  const tables = [`${owner}.outbox_offsets`, ...(hasBus ? ['bus.offsets'] : [])];
  const selects = tables.map(
    (table) => `SELECT topic, xid, position FROM ${table} WHERE topic = ANY ($1)`,
  );
  return { tables, offsets: `(${selects.join(' UNION ALL ')})` };
}

/** Returns undefined when another process has repaired it meanwhile. */
async function repair(
  admin: Admin,
  owner: ServiceName,
  names: readonly string[],
  sql: Statements,
): Promise<RepairedOutbox | undefined> {
  await admin.query('BEGIN');
  await admin.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
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
 * Returns the statements of the repair. It changes topics that are ahead. If there is one, it also
 * changes topics of which a reader's offset passed a row by id but not by position: that row may be
 * younger than the restore.
 *
 * Every row of such a topic gets xid 1, which no transaction has. The rows are then ordered by
 * position, before all later rows. Each reader's offset moves before the first row that it may not
 * have passed.
 *
 * A reader has passed a row if its offset says so by id and by position: rows written since the
 * restore have ids before the offset, but positions behind it, because the restore set the
 * sequence. A reader that has passed all rows keeps its position. Some rows are read again;
 * consumers deduplicate.
 */
function statementsOf(owner: ServiceName, { tables, offsets }: Readers) {
  const outbox = `${owner}.outbox`;
  const isUnread = '(b.position > o.position OR (b.xid, b.position) > (o.xid, o.position))';
  return {
    // One look per topic at the end of its primary key, never at the whole table.
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
    // Readers may read. Writers have ended, or wait.
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
    // Sent at the commit. A reader without a connection has no lease, so it reloads anyway.
    tell: `SELECT pg_notify('${RESTORED_CHANNEL}', topic) FROM unnest($1::text[]) AS t (topic)`,
  };
}
