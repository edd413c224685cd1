-- Writes the usual outcomes of calls: a carrier has a message, or has delivered it. A batch with anything else goes
-- through change_messages, which writes the same for these (apps/dispatch/test/outcomes.spec.ts). Returns null if all
-- were written, else the ids that were. Another process has changed the others meanwhile.
--
-- Arrays from `ids` to `raw_messages` have one element for each message.
-- - `attempt_numbers` to `raw_messages`: the attempt that this write finishes; null where it finishes none.
-- - Texts are lines, an empty one for null.
-- - `event_message_ids`, `event_ids`, `payloads`: one for each event, in the order of the log.
-- - The span of the ids, and bounds for the planner, as in change-messages.sql.
CREATE OR REPLACE FUNCTION dispatch.write_outcomes(
  ids uuid[], versions integer[], states text[], providers text, provider_message_ids text,
  code_ciphers text, sent_ats timestamptz[], delivered_ats timestamptz[], written_at timestamptz,
  attempt_numbers smallint[], finished_ats timestamptz[], attempt_provider_message_ids text,
  raw_codes text, raw_messages text,
  event_topic text, event_type text, event_message_ids uuid[], event_ids text[], payloads text
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
  written uuid[];
  is_all boolean;
BEGIN
  WITH changed AS (
    UPDATE dispatch.messages m SET
      version = c.version + 1, state = c.state, provider = c.provider,
      provider_message_id = c.provider_message_id, code_cipher = c.code_cipher, sent_at = c.sent_at,
      delivered_at = c.delivered_at, updated_at = written_at
    FROM (
      SELECT * FROM unnest(
        ids, versions, states, string_to_array(providers, E'\n', ''),
        string_to_array(provider_message_ids, E'\n', ''), string_to_array(code_ciphers, E'\n', ''),
        sent_ats, delivered_ats
      ) AS c (id, version, state, provider, provider_message_id, code_cipher, sent_at, delivered_at)
      WHERE id >= first_id AND id <= last_id ORDER BY id
    ) AS c
    WHERE m.id = c.id AND m.version = c.version AND m.id >= first_id AND m.id <= last_id
    RETURNING m.id
  ) SELECT array_agg(id) INTO written FROM changed;
  IF written IS NULL THEN RETURN '{}'; END IF;
  is_all := cardinality(written) = cardinality(ids);

  WITH finished AS (
    UPDATE dispatch.attempts a SET
      finished_at = c.finished_at, outcome = 'accepted', provider_message_id = c.provider_message_id,
      reason = NULL, raw_code = c.raw_code, raw_message = c.raw_message, held_by = NULL
    FROM unnest(
      ids, attempt_numbers, finished_ats, string_to_array(attempt_provider_message_ids, E'\n', ''),
      string_to_array(raw_codes, E'\n', ''), string_to_array(raw_messages, E'\n', '')
    ) AS c (message_id, number, finished_at, provider_message_id, raw_code, raw_message)
    WHERE a.message_id = c.message_id AND a.number = c.number
      AND c.message_id >= first_id AND c.message_id <= last_id
      AND a.message_id >= first_id AND a.message_id <= last_id
      AND (is_all OR c.message_id = ANY (written))
  )
  INSERT INTO dispatch.outbox (topic, reader, key, message_id, type, occurred_at, payload)
  SELECT r.topic, r.reader, e.message_id, e.id, event_type, written_at, e.payload
  FROM ROWS FROM (
    unnest(event_message_ids, event_ids), string_to_table(payloads, E'\n')
  ) WITH ORDINALITY AS e (message_id, id, payload, ordinal)
  JOIN dispatch.outbox_readers AS r ON r.topic = event_topic
  WHERE is_all OR e.message_id = ANY (written) ORDER BY e.ordinal;
  RETURN CASE WHEN NOT is_all THEN written END;
END $$;
