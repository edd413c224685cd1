import type { LogPosition } from './outbox-reader.js';

/**
 * Whether a transaction id (`xid`, or that of an alias) is one that this server has yet to give
 * out: it comes from another one, whose database was restored into this one. To be asked only of
 * what the statement's own snapshot shows: a row that was locked or changed by the same statement
 * may be younger than that.
 */
export const isAhead = (xid = 'xid'): string => `${xid} >= pg_snapshot_xmax(pg_current_snapshot())`;

/** Whether the topic's log holds such a row: a look at its end of the primary key. */
export const holdsAhead = (outbox: string, topic: string): string =>
  `EXISTS (SELECT FROM ${outbox} AS b WHERE b.topic = ${topic} AND ${isAhead('b.xid')})`;

export interface LoadedPosition extends LogPosition {
  /** It is itself, or a row of its topic is. */
  isAhead: boolean;
}

/**
 * A reader that runs while its server is replaced throws at each poll, instead of waiting for transactions that
 * may never come. It continues once `repair-outbox` has run.
 */
export function refuseAhead(loaded: LoadedPosition): LogPosition {
  const { xid, position } = loaded;
  if (!loaded.isAhead) return { xid, position };
  throw new Error(
    'the offset or the log is ahead of all transactions of this server: ' +
      'the database was restored, run `npm run operator -- repair-outbox`',
  );
}

/** A notification with the topic's name: the repair gave its rows other ids, readers load anew. */
export const restoredChannel = 'outbox_restored';
