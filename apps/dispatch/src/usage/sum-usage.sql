-- Sums the roll-ups of the 24 hours of a day in UTC.
CREATE OR REPLACE FUNCTION dispatch.sum_usage(wanted_workspace uuid, wanted_day timestamptz)
RETURNS SETOF dispatch.daily_usage LANGUAGE sql STABLE AS $$
  WITH hours AS MATERIALIZED (
    SELECT * FROM dispatch.hourly_usage
    WHERE workspace_id = wanted_workspace AND hour >= wanted_day AND hour < wanted_day + interval '24 hours'
  ), steps AS (
    SELECT test_mode, channel, country, network, carrier, step, sum(times)::bigint AS times
    FROM (
      SELECT test_mode, channel, country, network, carrier, unnest(time_steps) AS step, unnest(time_counts) AS times
      FROM hours
    ) AS one GROUP BY 1, 2, 3, 4, 5, 6
  ), histograms AS (
    SELECT test_mode, channel, country, network, carrier, array_agg(step) AS time_steps, array_agg(times) AS time_counts
    FROM steps GROUP BY 1, 2, 3, 4, 5
  ), counts AS (
    SELECT test_mode, channel, country, network, carrier,
      sum(sends)::bigint AS sends, sum(sent)::bigint AS sent, sum(delivered)::bigint AS delivered,
      sum(attempted)::bigint AS attempted, sum(verified)::bigint AS verified, sum(expired)::bigint AS expired,
      sum(failed)::bigint AS failed, sum(cancelled)::bigint AS cancelled, sum(undelivered)::bigint AS undelivered,
      sum(charged_credits)::bigint AS charged_credits, sum(refunded_credits)::bigint AS refunded_credits
    FROM hours GROUP BY 1, 2, 3, 4, 5
  )
  SELECT wanted_workspace, test_mode, wanted_day, channel, country, network, carrier,
    sends, sent, delivered, attempted, verified, expired, failed, cancelled, undelivered,
    charged_credits, refunded_credits, coalesce(time_steps, '{}'), coalesce(time_counts, '{}')
  FROM counts LEFT JOIN histograms USING (test_mode, channel, country, network, carrier)
$$;
