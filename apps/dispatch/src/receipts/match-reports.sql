-- Finds the message of each report, by the carrier's own id. If a carrier used an id twice, the report is about the
-- last such message. Almost every report is about a message of the last 40 days (it may wait for 30), so only
-- those partitions are set up first. A report that is left may be about a part of a message. Only then all partitions
-- are set up. `OFFSET 0` hides the order from the look-up:
-- otherwise the planner walks along the ids, newest first, through the messages of 40 days.
CREATE OR REPLACE FUNCTION dispatch.match_reports(providers text[], provider_message_ids text[])
RETURNS TABLE (ordinal bigint, message_id uuid)
LANGUAGE plpgsql STABLE
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  since constant uuid := (lpad(to_hex(
    (extract(epoch FROM statement_timestamp() - interval '40 days') * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid;
  matched uuid[];
BEGIN
  matched := array(
    SELECT (
      SELECT message_id FROM (
        SELECT a.message_id FROM dispatch.attempts a
        WHERE a.provider_message_id = r.provider_message_id AND a.provider = r.provider
          AND a.message_id >= since OFFSET 0
      ) AS found ORDER BY message_id DESC LIMIT 1)
    FROM unnest(providers, provider_message_ids)
      WITH ORDINALITY AS r (provider, provider_message_id, ordinal) ORDER BY r.ordinal);
  IF array_position(matched, NULL) IS NOT NULL THEN
    matched := array(
      SELECT coalesce(matched[r.ordinal], (
        SELECT p.message_id FROM dispatch.attempt_parts p
        WHERE p.provider_message_id = r.provider_message_id AND p.provider = r.provider
        ORDER BY p.message_id DESC LIMIT 1))
      FROM unnest(providers, provider_message_ids)
        WITH ORDINALITY AS r (provider, provider_message_id, ordinal) ORDER BY r.ordinal);
  END IF;
  IF array_position(matched, NULL) IS NOT NULL THEN
    matched := array(
      SELECT coalesce(matched[r.ordinal], (
        SELECT message_id FROM (
          SELECT a.message_id FROM dispatch.attempts a
          WHERE a.provider_message_id = r.provider_message_id AND a.provider = r.provider OFFSET 0
        ) AS found ORDER BY message_id DESC LIMIT 1))
      FROM unnest(providers, provider_message_ids)
        WITH ORDINALITY AS r (provider, provider_message_id, ordinal) ORDER BY r.ordinal);
  END IF;
  RETURN QUERY SELECT r.ordinal, r.id FROM unnest(matched) WITH ORDINALITY AS r (id, ordinal);
END $$;
