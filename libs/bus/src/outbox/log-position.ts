import { isAhead } from './ahead-of-server.js';

/** Most waiting messages that are counted. */
export const COUNTED_MAX = 10_000;

/**
 * SQL that tests whether a reader with offset `o`, which may be null, has yet to read row `b`. The
 * offset of a reader that is ahead of the server cannot be compared by id, because later rows have
 * lower ids. Their positions are higher, because a restore sets the sequence. In every other case
 * positions say nothing: of two concurrent writes the older may have the higher position. (Pruning
 * can afford to wait for both.)
 */
export const isBehind = `(b.xid, b.position) > (
                CASE WHEN ${isAhead('o.xid')} THEN '0'::xid8 ELSE coalesce(o.xid, '0'::xid8) END,
                CASE WHEN ${isAhead('o.xid')} THEN 0 ELSE coalesce(o.position, 0) END)
              AND (${isAhead('o.xid')} AND b.position <= o.position) IS NOT TRUE`;
