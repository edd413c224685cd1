import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import {
  type CountedSlice,
  type OverviewQuestion,
  type TimedSlice,
  USAGE_COUNTS,
} from './overview.policy.js';

/** Row of the oldest time from which no message was deleted because of its age; see `progress`. */
const STORED_FROM = `coalesce(
  (SELECT reached FROM progress WHERE job = 'retention-records'), '-infinity')`;

const rollUp = statement(
  'dispatch_roll_up_usage',
  `SELECT dispatch.roll_up_usage($1, ${STORED_FROM}, $2) AS made`,
);

/**
 * What an overview is made of. Exact at any time: hours with a current roll-up come from it, and the
 * messages of the others are counted, in one snapshot.
 */
const GROUPED = `
  closed AS (
    SELECT coalesce((SELECT reached FROM progress WHERE job = 'usage'), '-infinity') AS at,
      ${STORED_FROM} AS stored_from
  ), changed AS MATERIALIZED (
    SELECT DISTINCT hour FROM changed_hours, closed
    WHERE workspace_id = $1 AND hour >= $3 AND hour < $5 AND hour < at AND hour >= stored_from
  ), usage AS (
    SELECT usage.* FROM hourly_usage AS usage, closed
    WHERE workspace_id = $1 AND hour >= $3 AND hour < $5 AND hour < at
      AND hour NOT IN (SELECT hour FROM changed)
    UNION ALL
    SELECT counted.* FROM changed
    CROSS JOIN LATERAL dispatch.count_usage($1, changed.hour, changed.hour + interval '1 hour') AS counted
    UNION ALL
    SELECT counted.* FROM closed
    CROSS JOIN LATERAL dispatch.count_usage($1, greatest($3, at), $5) AS counted
  ), sliced AS (
    SELECT *, hour < $4 AS is_before,
      CASE WHEN hour >= $4 THEN date_trunc($6, hour, 'UTC') END AS point,
      CASE $7 WHEN 'channel' THEN channel WHEN 'country' THEN country
        WHEN 'network' THEN network ELSE carrier END AS key
    FROM usage WHERE test_mode = $2 AND ($8::text IS NULL OR channel = $8)
  )`;

const SETS = '(is_before), (point), (key, is_before)';
const SLICE = `CASE WHEN grouping(point) = 0 THEN 'point' WHEN grouping(key) = 0 THEN 'key' ELSE 'period' END
  AS slice, point, key, is_before AS "isBefore"`;

const overview = statement(
  'dispatch_overview',
  `WITH ${GROUPED}
   SELECT
     (SELECT coalesce(json_agg(counted), '[]') FROM (
       SELECT ${SLICE}, ${USAGE_COUNTS.map((name) => `sum(${name})::bigint AS ${name}`).join(', ')}
       FROM sliced GROUP BY GROUPING SETS (${SETS})) AS counted) AS counts,
     (SELECT coalesce(json_agg(timed), '[]') FROM (
       SELECT ${SLICE}, step, sum(times)::bigint AS count
       FROM sliced CROSS JOIN LATERAL unnest(time_steps, time_counts) AS timed (step, times)
       GROUP BY step, GROUPING SETS (${SETS})) AS timed) AS times`,
);

@Injectable()
export class UsageStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  /** Makes at most `max` roll-ups of hours that ended before that time. Returns how many it made. */
  async rollUp(endedBefore: Date, max: number): Promise<number> {
    const { rows } = await this.database.query<{ made: number }>(rollUp, [endedBefore, max]);
    return rows[0]!.made;
  }

  async overview({
    workspaceId,
    testMode,
    before,
    from,
    to,
    interval,
    groupBy,
    channel,
  }: OverviewQuestion): Promise<{ counts: CountedSlice[]; times: TimedSlice[] }> {
    const values = [workspaceId, testMode, before, from, to, interval, groupBy, channel];
    type Row = { counts: CountedSlice[]; times: TimedSlice[] };
    return (await this.database.query<Row>(overview, values)).rows[0]!;
  }
}
