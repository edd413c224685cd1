-- For replicas of the release before; change-messages.sql has taken its place. It goes with the next release.
--
-- The payload of an event came in the event, numbered by `ordinal`, and an attempt did not say whether it put the
-- number on the list of Do Not Disturb: those of live SMS did.
CREATE OR REPLACE FUNCTION dispatch.update_messages(
  changes json, attempts json, outgoing json, keys json
) RETURNS SETOF uuid LANGUAGE sql AS $$
  SELECT dispatch.change_messages(
    changes,
    (SELECT array_agg(c.id ORDER BY c.id) FROM json_to_recordset(changes) AS c (id uuid)),
    (SELECT json_agg(
       CASE WHEN a ->> 'reason' = 'dnd_active' AND EXISTS (
         SELECT FROM dispatch.messages m
         WHERE m.id = (a ->> 'messageId')::uuid AND m.kind = 'sms' AND NOT m.test_mode)
       THEN (a::jsonb || '{"learnsDoNotDisturb": true}')::json ELSE a END)
     FROM json_array_elements(attempts) AS a),
    keys,
    (SELECT json_agg(o ORDER BY (o ->> 'ordinal')::integer) FROM json_array_elements(outgoing) AS o),
    (SELECT string_agg((o -> 'payload')::text, E'\n' ORDER BY (o ->> 'ordinal')::integer)
     FROM json_array_elements(outgoing) AS o))
$$;
