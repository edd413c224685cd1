-- For replicas of the release before; judge-messages.sql has taken its place. It goes with the next release.
--
-- The payload of an event came in the event, numbered by `ordinal`.
CREATE OR REPLACE FUNCTION dispatch.verify_messages(
  changes json, attempts json, outgoing json, keys json, guesses json, judged_at timestamptz
) RETURNS SETOF uuid LANGUAGE sql AS $$
  SELECT dispatch.judge_messages(
    changes,
    (SELECT array_agg(c.id ORDER BY c.id) FROM json_to_recordset(changes) AS c (id uuid)),
    attempts,
    keys,
    (SELECT json_agg(o ORDER BY (o ->> 'ordinal')::integer) FROM json_array_elements(outgoing) AS o),
    (SELECT string_agg((o -> 'payload')::text, E'\n' ORDER BY (o ->> 'ordinal')::integer)
     FROM json_array_elements(outgoing) AS o),
    guesses,
    judged_at)
$$;
