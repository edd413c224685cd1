-- Endpoints passed their test, or their workspace is no trial any more: deliveries that were held are due. It waits for
-- the fan-out that is under way, and the next one sees a tested endpoint.
CREATE OR REPLACE FUNCTION webhooks.release_held_deliveries(endpoint_ids uuid[], ends_trial boolean, at timestamptz)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(item.lock) FROM (
    SELECT DISTINCT hashtextextended(workspace_id::text, 7) AS lock
    FROM webhooks.endpoints WHERE id = ANY (endpoint_ids) ORDER BY lock OFFSET 0
  ) AS item;

  UPDATE webhooks.endpoints
  SET untested = false, trial = trial AND NOT ends_trial, version = version + 1
  WHERE id = ANY (endpoint_ids) AND (untested OR trial AND ends_trial);

  UPDATE webhooks.deliveries SET due_at = at, next_attempt_at = at
  WHERE endpoint_id = ANY (endpoint_ids) AND due_at = 'infinity';
END $$;
