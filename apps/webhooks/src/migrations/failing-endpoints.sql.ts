import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';

/** Since when an endpoint has been failing, and how often since; any success, or a change, ends it. */
export const failureColumns = `
  ALTER TABLE webhooks.endpoints
    ADD COLUMN failing_since timestamptz,
    ADD COLUMN failure_count integer NOT NULL DEFAULT 0
`;

/**
 * The notice of a disabled endpoint: an event of its workspace, numbered like any. No delivery is made of it,
 * because the endpoint that would get it is the one that is closed. The body is what `variantAHead` would
 * make, compact.
 */
export const tellDisabled = `
  CREATE FUNCTION webhooks.tell_disabled(endpoint webhooks.endpoints, reason text, at timestamptz)
  RETURNS void LANGUAGE sql AS $$
    WITH counter AS (
      INSERT INTO webhooks.sequences AS known (workspace_id, last_sequence)
      VALUES (endpoint.workspace_id, 1)
      ON CONFLICT (workspace_id) DO UPDATE SET last_sequence = known.last_sequence + 1
      RETURNING last_sequence
    )
    INSERT INTO webhooks.events (
      id, workspace_id, sequence, variant_a_type, variant_a_body, occurred_at
    )
    SELECT 'evt_' || replace(webhooks.new_id(at)::text, '-', ''), endpoint.workspace_id,
      last_sequence, 'webhook.disabled', format(
        '{"event":"webhook.disabled","timestamp":"%s","data":{"workspace_id":"%s",'
          '"endpoint_id":"%s","url":%s,"reason":"%s"},"sequence":%s}',
        to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), endpoint.workspace_id,
        endpoint.id, to_json(endpoint.url), reason, last_sequence
      ), at
    FROM counter
  $$;
`;

/**
 * Records a batch of attempts and what they made of their deliveries. A result that comes too late, because
 * its lease ended and another attempt was recorded first, changes nothing.
 *
 * An endpoint that answered 410 Gone is disabled, unless it was changed since the attempt was made. So is one
 * that has failed for three days and at least 20 times. Attempts from before its last change do not count,
 * and one success in a batch makes it well. Rows of endpoints, and then of counters, are locked in sorted
 * order, so that batches never deadlock; an endpoint that is well and stays so is not written.
 */
export const recordAttemptsAndFailures = `
  CREATE OR REPLACE FUNCTION webhooks.record_attempts(
    workspace_ids uuid[], delivery_ids uuid[], numbers smallint[], attempted_ats timestamptz[],
    status_codes smallint[], latencies integer[], response_bodies text[], errors text[],
    statuses text[], next_attempt_ats timestamptz[],
    gone_endpoint_ids uuid[], gone_versions integer[], at timestamptz
  ) RETURNS void
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  DECLARE
    tried_ids uuid[];
    are_well boolean[];
    first_ats timestamptz[];
    counts integer[];
    closed record;
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
    SELECT array_agg(endpoint_id), array_agg(is_well), array_agg(first_at),
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

    FOR closed IN
      WITH disabled AS (
        UPDATE webhooks.endpoints AS endpoint
        SET status = 'disabled', version = endpoint.version + 1, updated_at = at
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
        RETURNING endpoint, endpoint.workspace_id, found.reason
      )
      SELECT * FROM disabled ORDER BY workspace_id
    LOOP
      PERFORM webhooks.tell_disabled(closed.endpoint, closed.reason, at);
    END LOOP;
  END $$;
`;
