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

const SUMS = USAGE_COUNTS.map((name) => `sum(${name})::bigint AS ${name}`).join(', ');

/**
 * The rows of an overview, exact at any time. Sums of days and hours are used where they are current; the messages
 * of the other hours are counted. All is read in one snapshot.
 */
const GROUPED = `
  closed AS (
    SELECT coalesce((SELECT reached FROM progress WHERE job = 'usage'), '-infinity') AS at,
      ${STORED_FROM} AS stored_from
  ), changed AS MATERIALIZED (
    SELECT DISTINCT hour FROM changed_hours, closed
    WHERE workspace_id = $1 AND hour >= $3 AND hour < $5 AND hour < at AND hour >= stored_from
  ), summed AS MATERIALIZED (
    SELECT DISTINCT day FROM daily_usage
    WHERE $6 = 'day' AND workspace_id = $1 AND day >= $3 AND day < $5
      AND day NOT IN (SELECT date_trunc('day', hour, 'UTC') FROM changed)
  ), spans AS MATERIALIZED (
    SELECT $3::timestamptz AS begins, $5::timestamptz AS ends WHERE $6 = 'hour'
    UNION ALL
    SELECT day, day + interval '24 hours'
    FROM generate_series($3::timestamptz, $5::timestamptz - interval '24 hours', interval '24 hours') AS day
    WHERE $6 = 'day' AND day NOT IN (SELECT day FROM summed)
  ), usage AS (
    SELECT usage.* FROM closed CROSS JOIN spans CROSS JOIN LATERAL (
      SELECT * FROM hourly_usage
      WHERE workspace_id = $1 AND hour >= begins AND hour < least(ends, at)
      -- Keeps the spans apart: joined to them, all hours of the workspace would be read.
      OFFSET 0) AS usage
    WHERE hour NOT IN (SELECT hour FROM changed)
    UNION ALL
    SELECT usage.* FROM summed JOIN daily_usage AS usage ON usage.day = summed.day WHERE workspace_id = $1
    UNION ALL
    SELECT counted.* FROM changed
    CROSS JOIN LATERAL dispatch.count_usage($1, changed.hour, changed.hour + interval '1 hour') AS counted
    UNION ALL
    SELECT counted.* FROM closed
    CROSS JOIN LATERAL dispatch.count_usage($1, greatest($3, at), $5) AS counted
  ), sliced AS MATERIALIZED (
    SELECT hour < $4 AS is_before,
      CASE WHEN hour >= $4 THEN date_trunc($6, hour, 'UTC') END AS point,
      CASE $7 WHEN 'channel' THEN channel WHEN 'country' THEN country
        WHEN 'network' THEN network ELSE carrier END AS key,
      time_steps, time_counts, ${USAGE_COUNTS.join(', ')}
    FROM usage WHERE test_mode = $2 AND ($8::text IS NULL OR channel = $8)
  ), counted AS (
    SELECT is_before, point, key, ${SUMS} FROM sliced GROUP BY is_before, point, key
  ), timed AS (
    SELECT is_before, point, key, step, sum(times) AS times
    FROM (
      SELECT is_before, point, key, unnest(time_steps) AS step, unnest(time_counts) AS times FROM sliced
    ) AS steps GROUP BY is_before, point, key, step
  )`;

const SETS = '(is_before), (point), (key, is_before)';
const SLICE = `CASE WHEN grouping(point) = 0 THEN 'point' WHEN grouping(key) = 0 THEN 'key' ELSE 'period' END
  AS slice, point, key, is_before AS "isBefore"`;

/** Rows are first grouped by all that the slices have, once, as there are many rows. */
const overview = statement(
  'dispatch_overview',
  `WITH ${GROUPED}
   SELECT
     (SELECT coalesce(json_agg(slices), '[]') FROM (
       SELECT ${SLICE}, ${SUMS}
       FROM counted GROUP BY GROUPING SETS (${SETS})) AS slices) AS counts,
     (SELECT coalesce(json_agg(slices), '[]') FROM (
       SELECT ${SLICE}, step, sum(times)::bigint AS count
       FROM timed GROUP BY step, GROUPING SETS (${SETS})) AS slices) AS times`,
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
