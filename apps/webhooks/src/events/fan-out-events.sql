-- What 0.2.0 calls: its messages of svc.workspace-events.v1 come with their data. Drop it with the release after this one.
CREATE OR REPLACE FUNCTION webhooks.fan_out_events(
  event_ids text[], workspace_ids uuid[], families text[], test_modes boolean[],
  occurred_ats timestamptz[], a_types text[], a_heads text[], b_types text[], b_heads text[],
  published_heads text[], target_endpoint_ids uuid[], default_types text[],
  resting_endpoint_ids uuid[], at timestamptz, leased_until timestamptz
) RETURNS TABLE (
  ordinal bigint, sequence bigint, delivery_id uuid, endpoint_id uuid, endpoint_version integer,
  variant text, leased boolean
)
LANGUAGE sql
AS $$
  SELECT * FROM webhooks.fan_out_occurrences(
    event_ids, workspace_ids, families, test_modes, occurred_ats, a_types, a_heads, b_types, b_heads,
    array_fill(true, ARRAY[cardinality(event_ids)]),
    ARRAY(
      SELECT left(head, strpos(head, ',"data":') - 1)
      FROM unnest(published_heads) WITH ORDINALITY AS published (head, ordinal) ORDER BY ordinal
    ),
    target_endpoint_ids, default_types, resting_endpoint_ids, at, leased_until
  )
$$;
