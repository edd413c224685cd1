import type { Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import type { LagReading } from '../bus.port.js';
import {
  holdsAhead,
  isAhead,
  type LoadedPosition,
  refuseAhead,
} from '../outbox/ahead-of-server.js';
import { COUNTED_MAX, isBehind } from '../outbox/log-position.js';
import type { LogPosition } from '../outbox/outbox-reader.js';

const begin = statement(
  'bus-offset-begin',
  `INSERT INTO bus.offsets (topic, consumer_group) VALUES ($1, $2)
   ON CONFLICT (topic, consumer_group) DO NOTHING`,
);

/**
 * Moves an offset only from where its reader found it. So a consumer that lost its lock without
 * noticing cannot move its successor back, and one that knows ids of another server cannot pass
 * renumbered rows. It does not wait for the commit (`synchronous_commit`): an offset lost in a
 * crash causes a redelivery.
 */
const advance = statement(
  'bus-offset-advance',
  `UPDATE bus.offsets SET xid = $3::xid8, position = $4::bigint
    WHERE topic = $1 AND consumer_group = $2 AND (xid, position) = ($5::xid8, $6::bigint)
   RETURNING set_config('synchronous_commit', 'off', true)`,
);

const advanceAll = statement(
  'bus-offset-advance-all',
  `WITH quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
   UPDATE bus.offsets AS o SET xid = moved.to_xid, position = moved.to_position
     FROM quickly, unnest($1::text[], $2::text[], $3::xid8[], $4::bigint[], $5::xid8[], $6::bigint[])
       AS moved (topic, consumer_group, from_xid, from_position, to_xid, to_position)
    WHERE o.topic = moved.topic AND o.consumer_group = moved.consumer_group
      AND (o.xid, o.position) = (moved.from_xid, moved.from_position)
   RETURNING o.topic || ' ' || o.consumer_group AS name`,
);

/** A move of the offset of one group on one topic. */
export interface OffsetMove {
  topic: string;
  group: string;
  from: LogPosition;
  to: LogPosition;
}

export class OffsetStore {
  constructor(private readonly database: Queryable) {}

  /** Returns the group's position. A new group starts at the beginning of the log. */
  async load(topic: Topic, group: string): Promise<LogPosition> {
    const values = [topic.name, group];
    await this.database.query(begin, values);
    const { rows } = await this.database.query<LoadedPosition>(
      statement(
        `bus-offset-load-${topic.owner}`,
        `SELECT xid, position,
                ${isAhead()} OR ${holdsAhead(`${topic.owner}.outbox`, '$1')} AS "isAhead"
           FROM bus.offsets WHERE topic = $1 AND consumer_group = $2`,
      ),
      values,
    );
    const [row] = rows;
    if (!row) throw new Error(`no offset of ${group} on ${topic.name}`);
    return refuseAhead(row);
  }

  /** Returns false when another reader has moved the position. */
  async advance(topic: Topic, group: string, from: LogPosition, to: LogPosition): Promise<boolean> {
    crashPoint('bus.offset.before-commit');
    const values = [topic.name, group, to.xid, to.position, from.xid, from.position];
    const { rowCount } = await this.database.query(advance, values);
    crashPoint('bus.offset.after-commit');
    return rowCount === 1;
  }

  /** Makes many moves in one statement. Returns those that succeeded, as `<topic> <group>`. */
  async advanceAll(moves: readonly OffsetMove[]): Promise<Set<string>> {
    crashPoint('bus.offsets.before-commit');
    const { rows } = await this.database.query<{ name: string }>(advanceAll, [
      moves.map(({ topic }) => topic),
      moves.map(({ group }) => group),
      moves.map(({ from }) => from.xid),
      moves.map(({ from }) => from.position),
      moves.map(({ to }) => to.xid),
      moves.map(({ to }) => to.position),
    ]);
    crashPoint('bus.offsets.after-commit');
    return new Set(rows.map(({ name }) => name));
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
              WHERE b.topic = o.topic AND ${isBehind}
              ORDER BY b.xid, b.position LIMIT ${COUNTED_MAX}
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
   * Deletes up to `limit` of the topic's oldest messages that every known group has passed and
   * whose retention is over. Returns the count. Deletes none while a group is ahead of the server.
   */
  async prune(topic: Topic, limit: number): Promise<number> {
    const { rowCount } = await this.database.query(
      statement(
        `bus-prune-${topic.owner}`,
        `WITH passed AS (
           SELECT xid, position, min(position) OVER () AS position_min,
                  bool_or(${isAhead()}) OVER () AS is_ahead
             FROM bus.offsets WHERE topic = $1
            ORDER BY xid, position LIMIT 1
         )
         DELETE FROM ${topic.owner}.outbox AS gone USING (
           SELECT oldest.xid, oldest.position FROM (
             SELECT b.occurred_at, b.xid, b.position
               FROM ${topic.owner}.outbox AS b
              WHERE b.topic = $1 AND b.xid < pg_snapshot_xmin(pg_current_snapshot())
              ORDER BY b.xid, b.position LIMIT $2
           ) AS oldest
           LEFT JOIN passed ON true
           WHERE oldest.occurred_at < now() - make_interval(secs => $3 * 3600)
             AND (passed.xid IS NULL
                  OR (oldest.xid, oldest.position) <= (passed.xid, passed.position)
                 AND oldest.position <= passed.position_min AND NOT passed.is_ahead)
         ) AS old
         WHERE gone.topic = $1 AND gone.xid = old.xid AND gone.position = old.position`,
      ),
      [topic.name, limit, topic.retentionHours],
    );
    return rowCount;
  }
}
