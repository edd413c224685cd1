-- Judges destinations before a send: the sender's review in the country, whether the number refuses, and the network of
-- a ported number, which prices the send. Returns one row per destination, in their order.
--
-- The sender's review decides about the registry: a whitelisted sender passes. An opt-out always counts.
-- Look-ups are scalar, because the planner could read a whole list for an EXISTS.
--
-- `sender_ids`: folded (`foldSenderId`), as the rows are.
CREATE OR REPLACE FUNCTION dispatch.judge_numbers(
  workspace_ids uuid[], sender_ids text[], country_codes text[], destinations text[], at timestamptz
) RETURNS TABLE (sender text, refusal text, whitelisted boolean, network text)
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
  RETURN QUERY SELECT
    CASE WHEN review.is_barred THEN 'barred' WHEN review.is_usable THEN 'usable'
      ELSE 'unregistered' END,
    CASE WHEN (
        SELECT true FROM dispatch.opt_outs AS known WHERE known.workspace_id = asked.workspace_id
          AND known.destination = asked.destination
          AND known.folded = coalesce(asked.sender_id, '')
          LIMIT 1) THEN 'opted_out'
      WHEN review.is_whitelisted IS NOT TRUE AND (
        SELECT true FROM dispatch.dnd_numbers AS known WHERE known.destination = asked.destination
          AND known.expires_at > at LIMIT 1) THEN 'dnd'
    END,
    review.is_whitelisted IS TRUE,
    (SELECT known.network FROM dispatch.number_networks AS known
      WHERE known.destination = asked.destination AND known.learned_at > at - interval '90 days')
  FROM unnest(workspace_ids, sender_ids, country_codes, destinations) WITH ORDINALITY
    AS asked (workspace_id, sender_id, country_code, destination, ordinal)
  LEFT JOIN LATERAL (
    SELECT bool_or(review.status IN ('approved', 'active')) AS is_usable,
      bool_or(review.status IN ('rejected', 'suspended'))
        AND NOT bool_or(review.status IN ('approved', 'active')) AS is_barred,
      bool_or(review.status IN ('approved', 'active') AND review.dnd_whitelisted) AS is_whitelisted
    FROM dispatch.sender_ids AS known
    JOIN dispatch.sender_reviews AS review ON review.sender_row_id = known.id
    WHERE known.workspace_id = asked.workspace_id
      AND known.folded = asked.sender_id
      AND review.country = asked.country_code
  ) AS review ON true
  ORDER BY asked.ordinal;
END $$;
