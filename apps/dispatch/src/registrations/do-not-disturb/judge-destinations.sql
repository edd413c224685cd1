-- What 0.2.0 calls: without the networks of ported numbers, and with sender IDs that are not folded. Drop it with the
-- release after this one.
CREATE OR REPLACE FUNCTION dispatch.judge_destinations(
  workspace_ids uuid[], sender_ids text[], country_codes text[], destinations text[], at timestamptz
) RETURNS TABLE (sender text, refusal text, whitelisted boolean)
LANGUAGE sql STABLE
AS $$
  SELECT sender, refusal, whitelisted
  FROM dispatch.judge_numbers(
    workspace_ids, lower(sender_ids::text)::text[], country_codes, destinations, at)
$$;
