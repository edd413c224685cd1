import type { Topic } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import type { LogPosition } from './outbox-reader.js';

/**
 * Returns SQL that tests whether a transaction id (`xid` or an alias's) is one that this server has
 * not reached. Such an id comes from another server, whose database was restored here. Use it only
 * on rows of the statement's own snapshot: a row locked or changed by the same statement may be
 * younger.
 */
export const isAhead = (xid = 'xid'): string => `${xid} >= pg_snapshot_xmax(pg_current_snapshot())`;

/**
 * Returns SQL that tests whether the topic's log holds such a row, by one look at the end of the
 * primary key.
 */
export const holdsAhead = (outbox: string, topic: string): string =>
  `EXISTS (SELECT FROM ${outbox} AS b WHERE b.topic = ${topic} AND ${isAhead('b.xid')})`;

export interface LoadedPosition extends LogPosition {
  /** Whether the position itself, or a row of its topic, is ahead of the server. */
  isAhead: boolean;
}

/**
 * Throws for a position ahead of the server. A reader that runs while its server is replaced throws
 * at each poll, instead of waiting for transactions that may never come.
 */
export function refuseAhead(loaded: LoadedPosition): LogPosition {
  const { xid, position } = loaded;
  if (!loaded.isAhead) return { xid, position };
  throw new Error(
    'the offset or the log is ahead of all transactions of this server: ' +
      'the database was restored, run deploy/after-restore.sql',
  );
}

/**
 * Returns whether a topic or a reader's offset is ahead of the server: a dump of another server was
 * restored here, and `deploy/after-restore.sql` did not run. The user of `adminUrl` owns the
 * schemas, and migrations have run.
 */
export async function hasOutboxAhead(adminUrl: string, topics: readonly Topic[]): Promise<boolean> {
  const admin = createClient({ url: adminUrl, applicationName: 'watchword-outboxes' });
  await admin.connect();
  try {
    const bus = await admin.query(`SELECT to_regclass('bus.offsets') IS NOT NULL AS found`);
    for (const owner of new Set(topics.map((topic) => topic.owner))) {
      const names = topics.filter((topic) => topic.owner === owner).map(({ name }) => name);
      const tables = [`${owner}.outbox_offsets`, ...(bus.rows[0].found ? ['bus.offsets'] : [])];
      const offsets = tables.map(
        (table) => `EXISTS (SELECT FROM ${table} WHERE topic = ANY ($1) AND ${isAhead()})`,
      );
      const rows = `EXISTS (SELECT FROM unnest($1::text[]) AS t (topic)
                             WHERE ${holdsAhead(`${owner}.outbox`, 't.topic')})`;
      const found = await admin.query(`SELECT ${[...offsets, rows].join(' OR ')} AS is_ahead`, [
        names,
      ]);
      if (found.rows[0].is_ahead) return true;
    }
    return false;
  } finally {
    await admin.end();
  }
}
