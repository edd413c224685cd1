import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';

/**
 * Fan-out of a batch of occurrences, in one transaction: events with their numbers, and one delivery for
 * each endpoint that listens. Answers one row per delivery made.
 *
 * 1. The counters of the workspaces are locked in sorted order: batches never deadlock, and the events of a
 *    workspace are numbered one batch after the other, without a gap.
 * 2. The second statement has a younger snapshot than the locks: an event that a competing batch stored is
 *    seen, and neither numbered nor delivered again.
 * 3. Snapshot rule: an event goes to the endpoints that are enabled and subscribed in that snapshot.
 *    Endpoints that change later change nothing for events that were fanned out before.
 *
 * Deliveries are born leased to the caller, who attempts them at once; those of `resting_endpoint_ids`,
 * for which the caller has no room, are due at once for other processes. Bodies come without their last member:
 * `head` is closed here, where the number is known. The caller guarantees that no event id occurs twice.
 */
export const fanOut = `
  CREATE FUNCTION webhooks.fan_out(
    event_ids text[], workspace_ids uuid[], types text[], occurred_ats timestamptz[], heads text[],
    default_types text[], resting_endpoint_ids uuid[], at timestamptz, leased_until timestamptz
  ) RETURNS TABLE (
    ordinal bigint, sequence bigint, delivery_id uuid, endpoint_id uuid, endpoint_version integer,
    leased boolean
  )
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  BEGIN
    INSERT INTO webhooks.sequences (workspace_id)
      SELECT DISTINCT item.workspace_id FROM unnest(workspace_ids) AS item (workspace_id)
      WHERE NOT EXISTS (
        SELECT FROM webhooks.sequences AS known WHERE known.workspace_id = item.workspace_id
      )
      ORDER BY item.workspace_id
      ON CONFLICT DO NOTHING;

    PERFORM FROM webhooks.sequences
      WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE;

    RETURN QUERY
    WITH fresh AS MATERIALIZED (
      SELECT item.*, counter.last_sequence
        + row_number() OVER (PARTITION BY item.workspace_id ORDER BY item.ordinal) AS sequence
      FROM unnest(event_ids, workspace_ids, types, occurred_ats, heads) WITH ORDINALITY
        AS item (event_id, workspace_id, type, occurred_at, head, ordinal)
      JOIN webhooks.sequences AS counter ON counter.workspace_id = item.workspace_id
      WHERE NOT EXISTS (SELECT FROM webhooks.events AS known WHERE known.id = item.event_id)
    ), numbered AS (
      UPDATE webhooks.sequences AS counter SET last_sequence = used.last_sequence
      FROM (
        SELECT workspace_id, max(sequence) AS last_sequence FROM fresh GROUP BY workspace_id
      ) AS used
      WHERE counter.workspace_id = used.workspace_id
    ), stored AS (
      INSERT INTO webhooks.events (
        id, workspace_id, sequence, variant_a_type, variant_a_body, occurred_at
      )
      SELECT event_id, workspace_id, sequence, type,
        head || ',"sequence":' || sequence || '}', occurred_at
      FROM fresh ORDER BY ordinal
    ), planned AS MATERIALIZED (
      SELECT fresh.ordinal, fresh.sequence, fresh.event_id, fresh.workspace_id,
        webhooks.new_id(at) AS delivery_id,
        endpoint.id AS endpoint_id, endpoint.version AS endpoint_version,
        endpoint.id <> ALL (resting_endpoint_ids) AS leased
      FROM fresh
      JOIN webhooks.endpoints AS endpoint ON endpoint.workspace_id = fresh.workspace_id
      WHERE endpoint.deleted_at IS NULL AND endpoint.status = 'enabled'
        AND endpoint.variant = 'a'
        AND fresh.type = ANY (coalesce(endpoint.events, default_types))
    ), delivered AS (
      INSERT INTO webhooks.deliveries (
        workspace_id, id, endpoint_id, event_id, status, attempt_count,
        next_attempt_at, due_at, created_at
      )
      SELECT workspace_id, delivery_id, endpoint_id, event_id, 'pending', 0,
        at, CASE WHEN leased THEN leased_until ELSE at END, at
      FROM planned
    )
    SELECT ordinal, sequence, delivery_id, endpoint_id, endpoint_version, leased FROM planned;
  END $$;
`;
