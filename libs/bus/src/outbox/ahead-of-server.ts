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
 * at each poll, instead of waiting for transactions that may never come. It continues after
 * `repair-outbox`.
 */
export function refuseAhead(loaded: LoadedPosition): LogPosition {
  const { xid, position } = loaded;
  if (!loaded.isAhead) return { xid, position };
  throw new Error(
    'the offset or the log is ahead of all transactions of this server: ' +
      'the database was restored, run `npm run operator -- repair-outbox`',
  );
}

/**
 * Channel of a notification with a topic's name: the repair changed the ids of its rows, and
 * readers reload.
 */
export const RESTORED_CHANNEL = 'outbox_restored';
