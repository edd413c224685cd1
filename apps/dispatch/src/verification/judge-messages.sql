-- Writes judged messages and counts their guesses. Returns the written ids. The others must be judged again.
--
-- 1. The counts of the numbers are locked in sorted order, so that no other transaction counts on them. The count that
--    is read was committed before. A number without a wrong code has no row: nothing is locked and nothing is counted.
-- 2. A guess that was judged without the count of its number (`known` is null, the usual case, which saves a read) is
--    written only if the number stays below the cap (100, as in guess-cap.policy.ts) with the whole batch. One that was
--    judged with the count is written only if the count is still the same.
-- 3. Messages are written as everywhere (change-messages.sql). Guesses of messages that it leaves out are not counted.
CREATE OR REPLACE FUNCTION dispatch.judge_messages(
  changes json, ids uuid[], attempts json, keys json, outgoing json, payloads text,
  guesses json, judged_at timestamptz
) RETURNS SETOF uuid LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  unsure uuid[];
  is_counted boolean;
  changed uuid[];
BEGIN
  IF guesses::jsonb @? '$[*] ? (@.wrong > 0)' THEN
    INSERT INTO dispatch.guessed_numbers (workspace_id, destination)
    SELECT DISTINCT i."workspaceId", i.destination
    FROM json_to_recordset(guesses) AS i ("workspaceId" uuid, destination text, wrong integer)
    WHERE i.wrong > 0 ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
  END IF;

  SELECT coalesce(bool_or(n.wrong_count IS NOT NULL), false), array_agg(i."messageId") FILTER (
    WHERE CASE WHEN i.known IS NULL
      THEN coalesce(n.wrong_count, 0) + i."numberGuesses" >= 100
      ELSE coalesce(n.wrong_count, 0) <> i.known END)
  INTO is_counted, unsure
  FROM (
    SELECT * FROM json_to_recordset(guesses) AS i (
      "messageId" uuid, "workspaceId" uuid, destination text, "numberGuesses" integer,
      known integer)
    ORDER BY "workspaceId", destination
  ) AS i LEFT JOIN LATERAL (
    SELECT wrong_count FROM dispatch.guessed_numbers
    WHERE workspace_id = i."workspaceId" AND destination = i.destination FOR UPDATE
  ) AS n ON true;

  IF cardinality(unsure) > 0 THEN
    -- `ids` stay as they are: fewer written than named means that keys and events of the others are left out.
    changes := (
      SELECT coalesce(json_agg(change), '[]') FROM json_array_elements(changes) AS change
      WHERE (change ->> 'id')::uuid <> ALL (unsure));
  END IF;
  changed := array(SELECT dispatch.change_messages(changes, ids, attempts, keys, outgoing, payloads));

  IF is_counted THEN
    UPDATE dispatch.guessed_numbers n SET
      wrong_count = CASE
        WHEN counted.is_right THEN 0
        -- Counted although it is full: its bar has ended.
        WHEN n.wrong_count >= 100 THEN counted.wrong
        ELSE n.wrong_count + counted.wrong END,
      last_wrong_at = CASE WHEN counted.wrong > 0 THEN judged_at ELSE n.last_wrong_at END
    FROM (
      SELECT i."workspaceId", i.destination, sum(i.wrong) AS wrong, bool_or(i."isRight") AS is_right
      FROM json_to_recordset(guesses) AS i (
        "messageId" uuid, "workspaceId" uuid, destination text, wrong integer, "isRight" boolean)
      WHERE i."messageId" = ANY (changed) GROUP BY 1, 2
    ) AS counted
    WHERE n.workspace_id = counted."workspaceId" AND n.destination = counted.destination;
  END IF;

  RETURN QUERY SELECT unnest(changed);
END $$;
