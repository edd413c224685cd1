import type { Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { LogPosition } from './outbox-reader.js';
import { isAheadColumn, type LoadedPosition, refuseAhead } from './restored-outboxes.js';

export interface LagReading {
  topic: string;
  group: string;
  /** Messages not yet handled; counting stops at `countedMax`. */
  waiting: number;
  /** How long ago the first of them happened. */
  oldestSeconds: number;
}

const load = statement(
  'bus-offset-load',
  `INSERT INTO bus.offsets AS o (topic, consumer_group) VALUES ($1, $2)
   ON CONFLICT (topic, consumer_group) DO UPDATE SET position = o.position
   RETURNING xid, position, ${isAheadColumn}`,
);

/**
 * Offsets only grow, so that a consumer which lost its lock unawares cannot put its successor back.
 * They are not waited for (`synchronous_commit`): one that is lost in a crash is a redelivery.
 */
const advance = statement(
  'bus-offset-advance',
  `UPDATE bus.offsets SET xid = $3::xid8, position = $4::bigint
    WHERE topic = $1 AND consumer_group = $2 AND (xid, position) < ($3::xid8, $4::bigint)
   RETURNING set_config('synchronous_commit', 'off', true)`,
);

export const countedMax = 10_000;

export class OffsetStore {
  constructor(private readonly database: Queryable) {}

  /** Where the group goes on; a new group begins at the beginning of the log. */
  async load(topic: Topic, group: string): Promise<LogPosition> {
    const { rows } = await this.database.query<LoadedPosition>(load, [topic.name, group]);
    const [row] = rows;
    if (!row) throw new Error(`no offset of ${group} on ${topic.name}`);
    return refuseAhead(row);
  }

  async advance(topic: Topic, group: string, to: LogPosition): Promise<void> {
    crashPoint('bus.offset.before-commit');
    await this.database.query(advance, [topic.name, group, to.xid, to.position]);
    crashPoint('bus.offset.after-commit');
  }

  async lag(topic: Topic): Promise<LagReading[]> {
    const { rows } = await this.database.query<LagReading>(
      statement(
        `bus-lag-${topic.owner}`,
        `SELECT o.topic, o.consumer_group AS group, count(behind.occurred_at)::integer AS waiting,
                coalesce(extract(epoch FROM now() - min(behind.occurred_at)), 0)::float8
                  AS "oldestSeconds"
           FROM bus.offsets AS o
           LEFT JOIN LATERAL (
             SELECT occurred_at FROM ${topic.owner}.outbox AS b
              WHERE b.topic = o.topic AND (b.xid, b.position) > (o.xid, o.position)
              ORDER BY b.xid, b.position LIMIT ${countedMax}
           ) AS behind ON true
          WHERE o.topic = $1
          GROUP BY o.topic, o.consumer_group
          ORDER BY o.consumer_group`,
      ),
      [topic.name],
    );
    return rows;
  }

  /**
   * Deletes up to `limit` of the topic's oldest messages that every known group has passed and that
   * are older than the retention; answers how many.
   */
  async prune(topic: Topic, limit: number): Promise<number> {
    const { rowCount } = await this.database.query(
      statement(
        `bus-prune-${topic.owner}`,
        `WITH passed AS (
           SELECT xid, position FROM bus.offsets WHERE topic = $1
            ORDER BY xid, position LIMIT 1
         )
         DELETE FROM ${topic.owner}.outbox WHERE ctid = ANY (ARRAY(
           SELECT oldest.row FROM (
             SELECT b.ctid AS row, b.occurred_at, b.xid, b.position
               FROM ${topic.owner}.outbox AS b
              WHERE b.topic = $1 AND b.xid < pg_snapshot_xmin(pg_current_snapshot())
              ORDER BY b.xid, b.position LIMIT $2
           ) AS oldest
           LEFT JOIN passed ON true
           WHERE oldest.occurred_at < now() - make_interval(secs => $3 * 3600)
             AND (passed.xid IS NULL
                  OR (oldest.xid, oldest.position) <= (passed.xid, passed.position))
         ))`,
      ),
      [topic.name, limit, topic.retentionHours],
    );
    return rowCount;
  }
}
