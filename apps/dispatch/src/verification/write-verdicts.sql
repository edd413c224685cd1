-- Writes codes that were judged, in the usual case: a code was right, or was wrong and more attempts are left, and none of
-- it had an idempotency key. All else goes through judge_messages, which writes the same for these
-- (apps/dispatch/test/verdicts.spec.ts). Returns null if all were written, else the ids that were. The others must be
-- judged again.
--
-- Arrays have one element for each message, sorted by its id, so that batches never deadlock.
-- - `verified_ats`, `event_ids`, `payloads`: null for a wrong code. Payloads are lines of text, an empty one for null.
-- - `numbers` and the arrays after it: null in test mode, which counts no wrong codes of a number. `numbers` as a whole is
--   null where all are in test mode. Counts are locked, judged and written as in judge_messages.sql.
-- - The span of the ids, as in change-messages.sql, so that only its partitions are set up.
CREATE OR REPLACE FUNCTION dispatch.write_verdicts(
  ids uuid[], versions integer[], workspace_ids uuid[], test_modes boolean[],
  attempt_counts integer[], verified_ats timestamptz[], judged_at timestamptz,
  event_topic text, event_type text, event_ids text[], payloads text,
  numbers text[], wrong_counts integer[], number_guesses integer[], known_counts integer[]
) RETURNS uuid[] LANGUAGE plpgsql
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
  first_id uuid := ids[1];
  last_id uuid := ids[cardinality(ids)];
  lines text[] := string_to_array(payloads, E'\n', '');
  is_counted boolean := false;
  unsure uuid[];
  written uuid[];
BEGIN
  IF numbers IS NOT NULL THEN
    IF 0 < ANY (wrong_counts) THEN
      INSERT INTO dispatch.guessed_numbers (workspace_id, destination)
      SELECT DISTINCT i.workspace_id, i.number
      FROM unnest(workspace_ids, numbers, wrong_counts) AS i (workspace_id, number, wrong)
      WHERE i.wrong > 0 ORDER BY 1, 2
      ON CONFLICT DO NOTHING;
    END IF;

    SELECT coalesce(bool_or(n.wrong_count IS NOT NULL), false), array_agg(i.id) FILTER (
      WHERE CASE WHEN i.known IS NULL
        THEN coalesce(n.wrong_count, 0) + i.guesses >= 100
        ELSE coalesce(n.wrong_count, 0) <> i.known END)
    INTO is_counted, unsure
    FROM (
      SELECT * FROM unnest(ids, workspace_ids, numbers, number_guesses, known_counts)
        AS i (id, workspace_id, number, guesses, known)
      WHERE i.number IS NOT NULL ORDER BY i.workspace_id, i.number
    ) AS i LEFT JOIN LATERAL (
      SELECT wrong_count FROM dispatch.guessed_numbers
      WHERE workspace_id = i.workspace_id AND destination = i.number FOR UPDATE
    ) AS n ON true;
  END IF;

  WITH changed AS (
    UPDATE dispatch.messages m SET
      version = c.version + 1,
      state = CASE WHEN c.verified_at IS NULL THEN m.state ELSE 'verified' END,
      verified_at = c.verified_at, updated_at = judged_at, attempt_count = c.attempt_count,
      code_cipher = CASE WHEN c.verified_at IS NULL THEN m.code_cipher END
    FROM unnest(
      ids, versions, workspace_ids, test_modes, attempt_counts, verified_ats, event_ids, lines
    ) AS c (
      id, version, workspace_id, test_mode, attempt_count, verified_at, event_id, payload)
    WHERE m.id = c.id AND m.version = c.version
      AND c.id >= first_id AND c.id <= last_id AND m.id >= first_id AND m.id <= last_id
      AND m.workspace_id = c.workspace_id AND m.test_mode = c.test_mode
      AND (unsure IS NULL OR c.id <> ALL (unsure))
    RETURNING m.id, m.workspace_id, m.created_at, c.event_id, c.payload
  ), late AS (
    -- As in change-messages.sql.
    INSERT INTO dispatch.changed_hours (workspace_id, hour)
    SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC')
    FROM changed WHERE created_at < date_trunc('hour', judged_at, 'UTC')
  ), announced AS (
    INSERT INTO dispatch.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT topic, reader, id, event_id, event_type, judged_at, payload
    FROM changed JOIN dispatch.message_queue_readers ON topic = event_topic
    WHERE event_id IS NOT NULL
  )
  SELECT coalesce(array_agg(id), '{}') INTO written FROM changed;

  IF is_counted THEN
    UPDATE dispatch.guessed_numbers n SET
      wrong_count = CASE
        WHEN counted.is_right THEN 0
        -- Counted although it is full: its bar has ended.
        WHEN n.wrong_count >= 100 THEN counted.wrong
        ELSE n.wrong_count + counted.wrong END,
      last_wrong_at = CASE WHEN counted.wrong > 0 THEN judged_at ELSE n.last_wrong_at END
    FROM (
      SELECT i.workspace_id, i.number, sum(i.wrong) AS wrong,
        bool_or(i.verified_at IS NOT NULL) AS is_right
      FROM unnest(ids, workspace_ids, numbers, wrong_counts, verified_ats)
        AS i (id, workspace_id, number, wrong, verified_at)
      WHERE i.number IS NOT NULL AND i.id = ANY (written) GROUP BY 1, 2
    ) AS counted
    WHERE n.workspace_id = counted.workspace_id AND n.destination = counted.number;
  END IF;
  RETURN CASE WHEN cardinality(written) < cardinality(ids) THEN written END;
END $$;
