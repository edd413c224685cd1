-- Fans out a batch of occurrences in one transaction: events with their numbers, one delivery for each subscribed
-- endpoint, and one message of svc.workspace-events.v1 for each event. Returns one row per delivery.
--
-- 1. Locks of the workspaces are taken in sorted order, before anything is written. They cover the counters and the
--    positions in the queue, so the messages of a workspace come in the order of their numbers.
-- 2. Later statements have a younger snapshot than the locks. An event that a competing batch stored is seen, and
--    is neither numbered nor delivered again.
-- 3. Snapshot rule: an event goes to the endpoints that are enabled and subscribed in that snapshot. Endpoints that
--    change later change nothing for events that were fanned out before. An event with a target goes to that endpoint
--    alone, with any subscription.
--
-- New deliveries are leased to the caller, which attempts them at once. Those of `resting_endpoint_ids`, for which the
-- caller has no room, are due at once for any process. Those to an untested endpoint are due at infinity, until a test
-- event (an event with a target) is answered with 2xx. Bodies come without their last member, which is their number.
-- A message of svc.workspace-events.v1 has the data of the body of variant B, so it comes without its last two members;
-- null is not published.
--
-- A body of variant B is stored where the caller says that it is needed, and where an endpoint of the workspace has that
-- variant, a disabled one included. Others may be null. If one of these is needed after all, nothing of its workspace is
-- fanned out, and its events are returned without a delivery: the caller fans them out again, with that body.
--
-- The caller guarantees that no event id occurs twice, and that nothing before the data has a member of that name.
CREATE OR REPLACE FUNCTION webhooks.fan_out_occurrences(
  event_ids text[], workspace_ids uuid[], families text[], test_modes boolean[],
  occurred_ats timestamptz[], a_types text[], a_heads text[], b_types text[], b_heads text[],
  b_needs boolean[], published_heads text[], target_endpoint_ids uuid[], default_types text[],
  resting_endpoint_ids uuid[], at timestamptz, leased_until timestamptz, message_ids uuid[]
) RETURNS TABLE (
  ordinal bigint, sequence bigint, delivery_id uuid, endpoint_id uuid, endpoint_version integer,
  variant text, leased boolean
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
  PERFORM pg_advisory_xact_lock(item.lock) FROM (
    SELECT DISTINCT hashtextextended(id::text, 7) AS lock
    FROM unnest(workspace_ids) AS given (id) ORDER BY lock OFFSET 0
  ) AS item;

  RETURN QUERY
  WITH hearing AS MATERIALIZED (
    SELECT endpoint.workspace_id, bool_or(item.b_head IS NULL) AS is_incomplete
    FROM unnest(workspace_ids, b_heads, b_needs) AS item (workspace_id, b_head, b_needed)
    JOIN webhooks.endpoints AS endpoint ON endpoint.workspace_id = item.workspace_id
    WHERE NOT item.b_needed AND endpoint.variant = 'b' AND endpoint.deleted_at IS NULL
    GROUP BY endpoint.workspace_id
  ), fresh AS MATERIALIZED (
    SELECT item.*, coalesce(counter.last_sequence, 0)
      + row_number() OVER (PARTITION BY item.workspace_id ORDER BY item.ordinal) AS sequence
    FROM unnest(
      event_ids, workspace_ids, families, test_modes, occurred_ats, a_types, a_heads, b_types,
      b_heads, b_needs, published_heads, target_endpoint_ids, message_ids
    ) WITH ORDINALITY AS item (
      event_id, workspace_id, family, test_mode, occurred_at, a_type, a_head, b_type, b_head,
      b_needed, published_head, target_endpoint_id, message_id, ordinal
    )
    LEFT JOIN webhooks.sequences AS counter ON counter.workspace_id = item.workspace_id
    WHERE NOT EXISTS (SELECT FROM webhooks.events AS known WHERE known.id = item.event_id)
      AND item.workspace_id <> ALL (ARRAY(SELECT workspace_id FROM hearing WHERE is_incomplete))
  ), numbered AS (
    INSERT INTO webhooks.sequences (workspace_id, last_sequence)
    SELECT workspace_id, max(sequence) FROM fresh GROUP BY workspace_id
    ON CONFLICT (workspace_id) DO UPDATE SET last_sequence = excluded.last_sequence
  ), stored AS (
    INSERT INTO webhooks.events (
      id, workspace_id, sequence, family, test_mode, variant_a_type, variant_a_body,
      variant_b_type, variant_b_body, occurred_at, message_id
    )
    SELECT event_id, workspace_id, sequence, family, test_mode,
      a_type, a_head || ',"sequence":' || sequence || '}',
      b_type, CASE WHEN b_needed OR workspace_id = ANY (ARRAY(SELECT workspace_id FROM hearing))
        THEN b_head || ',"sequence":' || sequence || '}' END, occurred_at, message_id
    FROM fresh ORDER BY ordinal
  ), published AS (
    INSERT INTO webhooks.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT topic, reader, workspace_id::text, event_id, 'svc.workspace-event.v1',
      occurred_at, published_head || substr(b_head, strpos(b_head, ',"data":')) || ',"sequence":' || sequence || '}'
    FROM fresh JOIN webhooks.message_queue_readers ON topic = 'svc.workspace-events.v1'
    WHERE published_head IS NOT NULL ORDER BY ordinal
  ), planned AS MATERIALIZED (
    SELECT fresh.ordinal, fresh.sequence, fresh.event_id, fresh.workspace_id,
      webhooks.new_id(at) AS delivery_id, endpoint.id AS endpoint_id,
      endpoint.version AS endpoint_version, endpoint.variant,
      endpoint.untested AND fresh.target_endpoint_id IS NULL AS held,
      endpoint.id <> ALL (resting_endpoint_ids) AND (NOT endpoint.untested OR fresh.target_endpoint_id IS NOT NULL)
        AS leased
    FROM fresh
    JOIN webhooks.endpoints AS endpoint ON endpoint.workspace_id = fresh.workspace_id
    WHERE endpoint.deleted_at IS NULL AND endpoint.status = 'enabled' AND CASE
      WHEN fresh.target_endpoint_id IS NOT NULL THEN endpoint.id = fresh.target_endpoint_id
      WHEN endpoint.variant = 'a' THEN fresh.a_type = ANY (coalesce(endpoint.events, default_types))
      ELSE fresh.b_type = ANY (endpoint.events) OR fresh.b_type IS NOT NULL AND '*' = ANY (endpoint.events)
    END
  ), delivered AS (
    INSERT INTO webhooks.deliveries (
      workspace_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, due_at,
      created_at
    )
    SELECT workspace_id, delivery_id, endpoint_id, event_id, 'pending', 0,
      CASE WHEN held THEN 'infinity' ELSE at END,
      CASE WHEN held THEN 'infinity' WHEN leased THEN leased_until ELSE at END, at
    FROM planned
  )
  SELECT ordinal, sequence, delivery_id, endpoint_id, endpoint_version, variant, leased
  FROM planned
  UNION ALL
  SELECT item.ordinal, NULL, NULL, NULL, NULL, NULL, NULL
  FROM unnest(workspace_ids) WITH ORDINALITY AS item (workspace_id, ordinal)
  WHERE item.workspace_id = ANY (ARRAY(SELECT workspace_id FROM hearing WHERE is_incomplete));
END $$;
