-- The message that each report is about, by the carrier's own id of it. A carrier that gives an id twice means the
-- message that had it last.
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
BEGIN
  RETURN QUERY
  SELECT r.ordinal, (
    SELECT a.message_id FROM dispatch.attempts a
    WHERE a.provider_message_id = r.provider_message_id AND a.provider = r.provider
    ORDER BY a.message_id DESC LIMIT 1)
  FROM unnest(providers, provider_message_ids)
    WITH ORDINALITY AS r (provider, provider_message_id, ordinal);
END $$;
