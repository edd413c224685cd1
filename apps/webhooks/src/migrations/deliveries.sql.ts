import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';

/**
 * Takes due deliveries: of each endpoint at most as many as the caller has room for. What another process
 * is taking is skipped. A delivery whose endpoint was deleted or disabled in the meantime has failed, and is
 * not answered.
 */
export const claimDeliveries = `
  CREATE FUNCTION webhooks.claim_deliveries(
    endpoint_ids uuid[], rooms integer[], at timestamptz, leased_until timestamptz
  ) RETURNS TABLE (
    workspace_id uuid, delivery_id uuid, endpoint_id uuid, endpoint_version integer,
    attempt_count smallint, event_id text, type text, body text
  )
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    WITH chosen AS MATERIALIZED (
      SELECT due.workspace_id, due.id, endpoint.version,
        endpoint.status = 'enabled' AND endpoint.deleted_at IS NULL AS is_open
      FROM unnest(endpoint_ids, rooms) AS lane (endpoint_id, room)
      JOIN webhooks.endpoints AS endpoint ON endpoint.id = lane.endpoint_id
      CROSS JOIN LATERAL (
        SELECT delivery.workspace_id, delivery.id
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
      RETURNING delivery.*, chosen.version, chosen.is_open
    )
    SELECT claimed.workspace_id, claimed.id, claimed.endpoint_id, claimed.version,
      claimed.attempt_count, event.id, event.variant_a_type, event.variant_a_body
    FROM claimed JOIN webhooks.events AS event ON event.id = claimed.event_id
    WHERE claimed.is_open;
  END $$;
`;

/**
 * Records a batch of attempts and what they made of their deliveries. A result that comes too late, because
 * its lease ended and another attempt was recorded first, changes nothing. An endpoint that answered 410
 * Gone is disabled, unless it was changed since the attempt was made.
 */
export const recordAttempts = `
  CREATE FUNCTION webhooks.record_attempts(
    workspace_ids uuid[], delivery_ids uuid[], numbers smallint[], attempted_ats timestamptz[],
    status_codes smallint[], latencies integer[], response_bodies text[], errors text[],
    statuses text[], next_attempt_ats timestamptz[],
    gone_endpoint_ids uuid[], gone_versions integer[], at timestamptz
  ) RETURNS void
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  BEGIN
    WITH result AS (
      SELECT * FROM unnest(
        workspace_ids, delivery_ids, numbers, attempted_ats, status_codes, latencies,
        response_bodies, errors, statuses, next_attempt_ats
      ) AS item (
        workspace_id, delivery_id, number, attempted_at, status_code, latency_ms,
        response_body, error, status, next_attempt_at
      )
    ), decided AS (
      UPDATE webhooks.deliveries AS delivery
      SET status = result.status, attempt_count = result.number,
        next_attempt_at = result.next_attempt_at, due_at = result.next_attempt_at
      FROM result
      WHERE delivery.workspace_id = result.workspace_id AND delivery.id = result.delivery_id
        AND delivery.status = 'pending' AND delivery.attempt_count = result.number - 1
      RETURNING result.*
    )
    INSERT INTO webhooks.delivery_attempts (
      delivery_id, number, attempted_at, status_code, latency_ms, response_body, error
    )
    SELECT delivery_id, number, attempted_at, status_code, latency_ms, response_body, error
    FROM decided;

    IF cardinality(gone_endpoint_ids) > 0 THEN
      UPDATE webhooks.endpoints AS endpoint
      SET status = 'disabled', version = endpoint.version + 1, updated_at = at
      FROM unnest(gone_endpoint_ids, gone_versions) AS gone (endpoint_id, version)
      WHERE endpoint.id = gone.endpoint_id AND endpoint.version = gone.version;
    END IF;
  END $$;
`;
