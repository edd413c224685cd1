-- Takes due deliveries: of each endpoint at most as many as the caller has room for. Rows of other processes are
-- skipped. A delivery to an endpoint that was deleted or disabled meanwhile fails, and is not returned; so does one
-- of an event that is too old to be kept.
CREATE OR REPLACE FUNCTION webhooks.claim_due_deliveries(
  endpoint_ids uuid[], rooms integer[], at timestamptz, leased_until timestamptz
) RETURNS TABLE (
  workspace_id uuid, delivery_id uuid, endpoint_id uuid, endpoint_version integer,
  attempt_count smallint, event_id text, type text, body text
)
LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH chosen AS MATERIALIZED (
    SELECT due.workspace_id, due.id, endpoint.version, endpoint.variant,
      endpoint.status = 'enabled' AND endpoint.deleted_at IS NULL
        -- A scalar: EXISTS could become a hash of all events.
        AND (SELECT true FROM webhooks.events AS event WHERE event.id = due.event_id) IS TRUE AS is_open
    FROM unnest(endpoint_ids, rooms) AS lane (endpoint_id, room)
    JOIN webhooks.endpoints AS endpoint ON endpoint.id = lane.endpoint_id
    CROSS JOIN LATERAL (
      SELECT delivery.workspace_id, delivery.id, delivery.event_id
      FROM webhooks.deliveries AS delivery
      WHERE delivery.endpoint_id = lane.endpoint_id AND delivery.due_at <= at
      ORDER BY delivery.due_at LIMIT lane.room
      FOR UPDATE SKIP LOCKED
    ) AS due
  ), claimed AS (
    UPDATE webhooks.deliveries AS delivery
    SET status = CASE WHEN is_open THEN 'pending' ELSE 'failed' END,
      due_at = CASE WHEN is_open THEN leased_until END,
      next_attempt_at = CASE WHEN is_open THEN next_attempt_at END
    FROM chosen
    WHERE delivery.workspace_id = chosen.workspace_id AND delivery.id = chosen.id
    RETURNING delivery.*, chosen.version, chosen.variant, chosen.is_open
  )
  SELECT claimed.workspace_id, claimed.id, claimed.endpoint_id, claimed.version,
    claimed.attempt_count, event.id,
    CASE claimed.variant WHEN 'a' THEN event.variant_a_type ELSE event.variant_b_type END,
    CASE claimed.variant WHEN 'a' THEN event.variant_a_body ELSE event.variant_b_body END
  FROM claimed JOIN webhooks.events AS event ON event.id = claimed.event_id
  WHERE claimed.is_open;
END $$;
