-- Counts what a workspace sent in a span of time, by hour and by what the overview groups by. This one definition serves
-- the roll-ups of hours that have ended and, inlined into the overview's query, the hours that have no current roll-up.
--
-- - A message belongs to the hour of its acceptance, with everything that happens to it later. An email counts once for
--   each recipient, and its credits with the first one.
-- - A failure counts when it is public, which is when its refund is settled, as in `visibleState`.
-- - `time_steps`: 8 steps for each doubling of the seconds to delivery, from the acceptance or the `send_at`. The middle
--   of a step is within 4.5 percent of each time in it.
CREATE OR REPLACE FUNCTION dispatch.count_usage(
  wanted_workspace uuid, from_time timestamptz, to_time timestamptz
) RETURNS SETOF dispatch.hourly_usage LANGUAGE sql STABLE AS $$
  WITH facts AS (
    SELECT test_mode, created_at, kind AS channel, country_code AS country, network, provider AS carrier, state,
      sent_at IS NOT NULL AS is_sent, delivered_at IS NOT NULL OR verified_at IS NOT NULL AS is_delivered,
      attempt_count > 0 AS is_attempted, verified_at IS NOT NULL AS is_verified,
      reason IS NULL OR settled_at IS NOT NULL AS is_public,
      message.credits + coalesce(resent.credits, 0) AS charged,
      CASE WHEN refunded THEN message.credits ELSE 0 END + coalesce(resent.refunded_credits, 0) AS returned,
      delivered_at - coalesce(send_at, created_at) AS time
    FROM dispatch.messages AS message
    LEFT JOIN LATERAL (
      SELECT sum((resend ->> 'credits')::bigint) AS credits,
        sum((resend ->> 'credits')::bigint) FILTER (WHERE resend ->> 'reason' IS NOT NULL) AS refunded_credits
      FROM json_array_elements(resends) AS resend
    ) AS resent ON resends IS NOT NULL
    WHERE workspace_id = wanted_workspace AND created_at >= from_time AND created_at < to_time
    UNION ALL
    SELECT email.test_mode, email.created_at, 'email', NULL, NULL, attempt.provider,
      CASE one.state WHEN 'bounced' THEN 'failed' ELSE one.state END,
      one.sent_at IS NOT NULL, one.state <> 'bounced' AND one.delivered_at IS NOT NULL OR one.state = 'complained',
      false, false, true,
      CASE WHEN one.number = 0 THEN (email.command ->> 'credits')::bigint ELSE 0 END,
      CASE WHEN one.number = 0 AND email.refunded THEN (email.command ->> 'credits')::bigint ELSE 0 END,
      one.delivered_at - coalesce(email.send_at, email.created_at)
    FROM dispatch.emails AS email
    JOIN dispatch.email_recipients AS one ON one.email_id = email.id
    LEFT JOIN LATERAL (
      SELECT provider FROM dispatch.email_attempts
      WHERE email_id = one.email_id AND recipient = one.number ORDER BY number DESC LIMIT 1
    ) AS attempt ON true
    WHERE email.workspace_id = wanted_workspace AND email.created_at >= from_time AND email.created_at < to_time
  ), steps AS (
    SELECT test_mode, date_trunc('hour', created_at, 'UTC') AS hour, channel, coalesce(country, '') AS country,
      coalesce(network, '') AS network, coalesce(carrier, '') AS carrier,
      floor(8 * ln(greatest(extract(epoch FROM time), 0.01)::float8) / ln(2::float8))::smallint AS step,
      count(*) AS sends,
      count(*) FILTER (WHERE is_sent) AS sent,
      count(*) FILTER (WHERE is_delivered) AS delivered,
      count(*) FILTER (WHERE is_attempted) AS attempted,
      count(*) FILTER (WHERE is_verified) AS verified,
      count(*) FILTER (WHERE state = 'expired') AS expired,
      count(*) FILTER (WHERE is_public AND state IN ('failed', 'blocked', 'rejected')) AS failed,
      count(*) FILTER (WHERE is_public AND state = 'cancelled') AS cancelled,
      count(*) FILTER (WHERE is_public AND NOT is_delivered
        AND state IN ('failed', 'blocked', 'rejected', 'expired')) AS undelivered,
      sum(charged) AS charged, sum(returned) AS returned
    FROM facts GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
  SELECT wanted_workspace, test_mode, hour, channel, country, network, carrier,
    sum(sends)::bigint, sum(sent)::bigint, sum(delivered)::bigint, sum(attempted)::bigint, sum(verified)::bigint,
    sum(expired)::bigint, sum(failed)::bigint, sum(cancelled)::bigint, sum(undelivered)::bigint,
    sum(charged)::bigint, sum(returned)::bigint,
    coalesce(array_agg(step) FILTER (WHERE step IS NOT NULL), '{}'),
    coalesce(array_agg(sends) FILTER (WHERE step IS NOT NULL), '{}')
  FROM steps GROUP BY test_mode, hour, channel, country, network, carrier
$$;
