-- For replicas of the release before; add-messages.sql has taken its place. It goes with the next release.
--
-- A scheduled command came in its message, and the payload of an event in the event, numbered by `ordinal`.
CREATE OR REPLACE FUNCTION dispatch.insert_messages(messages json, attempts json, outgoing json)
RETURNS SETOF uuid LANGUAGE sql AS $$
  SELECT dispatch.add_messages(
    messages,
    json_array_length(messages),
    attempts,
    (SELECT json_agg(json_build_object(
       'messageId', m -> 'id', 'sendAt', m -> 'sendAt', 'command', m -> 'command'))
     FROM json_array_elements(messages) AS m WHERE m ->> 'command' IS NOT NULL),
    (SELECT json_agg(o ORDER BY (o ->> 'ordinal')::integer) FROM json_array_elements(outgoing) AS o),
    (SELECT string_agg((o -> 'payload')::text, E'\n' ORDER BY (o ->> 'ordinal')::integer)
     FROM json_array_elements(outgoing) AS o))
$$;
