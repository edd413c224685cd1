-- Records a batch of attempts and the results for their deliveries. Returns the endpoints that it disabled. A result
-- that comes too late, because its lease ended and another attempt was recorded first, changes nothing. A delivery to
-- an endpoint that is closed by now gets no further attempt; endpoints are only read where there would be one.
--
-- The statements name the span of the deliveries' ids, so that only its partitions are set up. See change-messages.sql.
--
-- An endpoint that answered 410 Gone is disabled, unless it was changed since the attempt was made. So is one that has
-- failed for three days and at least 20 times. Attempts from before its last change do not count, and one success in a
-- batch ends its failures. Rows of endpoints are locked in sorted order, so that batches never deadlock; an endpoint
-- without failures before and after is not written. The notice of a disabled endpoint is numbered afterwards, in a
-- separate transaction: `notice_event_id` keeps it until then.
CREATE OR REPLACE FUNCTION webhooks.record_webhook_attempts(
  workspace_ids uuid[], delivery_ids uuid[], numbers smallint[], attempted_ats timestamptz[],
  status_codes smallint[], latencies integer[], response_bodies text[], errors text[],
  statuses text[], next_attempt_ats timestamptz[],
  gone_endpoint_ids uuid[], gone_versions integer[], at timestamptz
) RETURNS TABLE (endpoint_id uuid)
LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_material = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  one_id uuid;
  first_id uuid;
  last_id uuid;
  closed_ids uuid[];
  tried_ids uuid[];
  are_well boolean[];
  first_ats timestamptz[];
  counts integer[];
BEGIN
  FOREACH one_id IN ARRAY delivery_ids LOOP
    first_id := least(first_id, one_id);
    last_id := greatest(last_id, one_id);
  END LOOP;

  IF 'pending' = ANY (statuses) THEN
    closed_ids := array(
      SELECT delivery.id
      FROM unnest(workspace_ids, delivery_ids, statuses) AS result (workspace_id, id, status)
      JOIN webhooks.deliveries AS delivery
        ON delivery.workspace_id = result.workspace_id AND delivery.id = result.id
        AND delivery.id >= first_id AND delivery.id <= last_id
      JOIN webhooks.endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
      WHERE result.status = 'pending'
        AND (endpoint.status = 'disabled' OR endpoint.deleted_at IS NOT NULL));
  END IF;

  WITH result AS (
    SELECT * FROM unnest(
      workspace_ids, delivery_ids, numbers, attempted_ats, status_codes, latencies,
      response_bodies, errors, statuses, next_attempt_ats
    ) AS item (
      workspace_id, delivery_id, number, attempted_at, status_code, latency_ms,
      response_body, error, status, next_attempt_at
    ) WHERE delivery_id >= first_id AND delivery_id <= last_id
  ), decided AS (
    UPDATE webhooks.deliveries AS delivery
    SET status = CASE
        WHEN result.delivery_id = ANY (closed_ids) THEN 'failed'
        ELSE result.status END,
      attempt_count = result.number,
      next_attempt_at = CASE
        WHEN result.delivery_id = ANY (closed_ids) THEN NULL
        ELSE result.next_attempt_at END,
      due_at = CASE
        WHEN result.delivery_id = ANY (closed_ids) THEN NULL
        ELSE result.next_attempt_at END
    FROM result
    WHERE delivery.workspace_id = result.workspace_id AND delivery.id = result.delivery_id
      AND delivery.id >= first_id AND delivery.id <= last_id
      AND delivery.status = 'pending' AND delivery.attempt_count = result.number - 1
    RETURNING result.*, delivery.endpoint_id
  ), kept AS (
    INSERT INTO webhooks.delivery_attempts (
      delivery_id, number, attempted_at, status_code, latency_ms, response_body, error
    )
    SELECT delivery_id, number, attempted_at, status_code, latency_ms, response_body, error
    FROM decided
  ), tally AS (
    SELECT endpoint_id, bool_or(status = 'delivered') AS is_well,
      min(attempted_at) AS first_at, count(*)::integer AS attempt_count
    FROM decided GROUP BY endpoint_id
  )
  SELECT array_agg(tally.endpoint_id), array_agg(is_well), array_agg(first_at),
    array_agg(tally.attempt_count)
  INTO tried_ids, are_well, first_ats, counts
  FROM tally JOIN webhooks.endpoints AS endpoint ON endpoint.id = tally.endpoint_id
  WHERE NOT is_well OR endpoint.failing_since IS NOT NULL;

  IF tried_ids IS NULL AND cardinality(gone_endpoint_ids) = 0 THEN RETURN; END IF;

  PERFORM FROM webhooks.endpoints AS endpoint
    WHERE endpoint.id = ANY (tried_ids || gone_endpoint_ids) ORDER BY endpoint.id FOR UPDATE;

  UPDATE webhooks.endpoints AS endpoint
  SET failing_since = CASE
      WHEN tally.is_well THEN NULL ELSE coalesce(endpoint.failing_since, tally.first_at) END,
    failure_count = CASE
      WHEN tally.is_well THEN 0 ELSE endpoint.failure_count + tally.attempt_count END
  FROM unnest(tried_ids, are_well, first_ats, counts)
    AS tally (endpoint_id, is_well, first_at, attempt_count)
  WHERE endpoint.id = tally.endpoint_id AND tally.first_at >= endpoint.updated_at;

  RETURN QUERY
  UPDATE webhooks.endpoints AS endpoint
  SET status = 'disabled', disabled_reason = found.reason, closing = true,
    notice_event_id = 'evt_' || replace(webhooks.new_id(at)::text, '-', ''),
    version = endpoint.version + 1, updated_at = at
  FROM (
    SELECT failing.id, failing.version, 'failing' AS reason
    FROM webhooks.endpoints AS failing
    WHERE failing.id = ANY (tried_ids) AND failing.failure_count >= 20
      AND failing.failing_since <= at - interval '3 days'
      AND failing.id <> ALL (gone_endpoint_ids)
    UNION
    SELECT gone.id, gone.version, 'gone'
    FROM unnest(gone_endpoint_ids, gone_versions) AS gone (id, version)
  ) AS found
  WHERE endpoint.id = found.id AND endpoint.version = found.version
    AND endpoint.status = 'enabled'
  RETURNING endpoint.id;
END $$;
