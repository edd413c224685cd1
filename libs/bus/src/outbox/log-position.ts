import { isAhead } from './ahead-of-server.js';

/** Waiting messages are counted no further. */
export const countedMax = 10_000;

/**
 * Of a row `b` and the offset `o` of one reader, which may not have begun: whether it waits for
 * it. Of a reader whose offset is ahead of the server ids tell nothing, for those of all that was
 * written since are lower; but their positions are higher, for a restore sets the sequence. In any
 * other case positions tell nothing: of two that wrote at once, the older one may have the higher
 * position and be passed all the same. (Who prunes can afford to wait for both.)
 */
export const isBehind = `(b.xid, b.position) > (
                CASE WHEN ${isAhead('o.xid')} THEN '0'::xid8 ELSE coalesce(o.xid, '0'::xid8) END,
                CASE WHEN ${isAhead('o.xid')} THEN 0 ELSE coalesce(o.position, 0) END)
              AND (${isAhead('o.xid')} AND b.position <= o.position) IS NOT TRUE`;
