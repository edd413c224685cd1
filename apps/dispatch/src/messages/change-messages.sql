-- Writes messages that still have the version that was read. Returns their ids. Rows are written in sorted order, so
-- that batches never deadlock. A row that another write changed since, or that is outside the scope of the caller
-- (`withinWorkspaceId`, `withinTestMode`; null is no bound), stays as it is. Its attempts, keys and events are left out.
--
-- `ids`: ids of the messages, sorted. The statement names their span, so that only its partitions are set up. The span
--   must not find the rows, because any number of other messages may lie in it. So the changes have the same bounds,
--   from which the planner expects one change, and `enable_material` is off: then each change looks its message up by
--   its id, once the table was analysed (apps/dispatch/test/partitions.spec.ts).
-- `attempts`, `keys`, `outgoing`: rows as JSON. Null where there are none: then no plan is started for them.
-- `payloads`: those of `outgoing`, one a line, in the order of the log. JSON within JSON would be parsed three times.
-- `antispam`, `metadata`: null where the change brings no verdict.
-- `late`: the roll-up of an hour that has ended is made again (count-usage.sql).
-- `is_all`: nearly always every message is written. Then rows that belong to them need no check.
CREATE OR REPLACE FUNCTION dispatch.change_messages(
  changes json, ids uuid[], attempts json, keys json, outgoing json, payloads text
) RETURNS SETOF uuid LANGUAGE plpgsql
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
  attempts_text text := attempts::text;
BEGIN
  WITH changed AS (
    UPDATE dispatch.messages m SET
      version = c.version + 1, state = c.state, provider = c.provider,
      provider_message_id = c."providerMessageId", reason = c.reason, refunded = c.refunded,
      settled_at = c."settledAt", sent_at = c."sentAt", delivered_at = c."deliveredAt",
      verified_at = c."verifiedAt", ended_at = c."endedAt", updated_at = c."updatedAt",
      attempt_count = c."attemptCount", code_cipher = c."codeCipher",
      resends = c.resends, shown_sender = c."shownSender",
      antispam = coalesce(c.antispam, m.antispam), metadata = coalesce(c.metadata, m.metadata)
    FROM (
      SELECT * FROM json_to_recordset(changes) AS c (
        id uuid, version integer, state text, provider text, "providerMessageId" text,
        reason text, refunded boolean, "settledAt" timestamptz, "sentAt" timestamptz,
        "deliveredAt" timestamptz, "verifiedAt" timestamptz, "endedAt" timestamptz,
        "updatedAt" timestamptz, "attemptCount" integer, "codeCipher" text, resends json,
        "shownSender" text, antispam json, metadata json,
        "withinWorkspaceId" uuid, "withinTestMode" boolean)
      WHERE id >= first_id AND id <= last_id ORDER BY id
    ) AS c
    WHERE m.id = c.id AND m.version = c.version AND m.id >= first_id AND m.id <= last_id
      AND m.workspace_id = coalesce(c."withinWorkspaceId", m.workspace_id)
      AND m.test_mode = coalesce(c."withinTestMode", m.test_mode)
    RETURNING m.id, m.workspace_id, m.created_at, m.updated_at
  ), late AS (
    INSERT INTO dispatch.changed_hours (workspace_id, hour)
    SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC')
    FROM changed WHERE created_at < date_trunc('hour', updated_at, 'UTC')
  ) SELECT array_agg(id) INTO written FROM changed;
  IF written IS NULL THEN RETURN; END IF;
  is_all := cardinality(written) = cardinality(ids);

  -- A delivery named the number's network (`networkAt`): one other than the prefix's is kept (`portedTo`), and one that
  -- agrees with the prefix ends it. An older report changes nothing, and the same one renews the row after a day.
  IF strpos(changes::text, '"networkAt"') > 0 THEN
    WITH reported AS MATERIALIZED (
      SELECT DISTINCT ON (m.destination) m.destination, c."portedTo" AS network, c."networkAt" AS at
      FROM json_to_recordset(changes) AS c (id uuid, "portedTo" text, "networkAt" timestamptz)
      JOIN dispatch.messages m ON m.id = c.id AND m.id >= first_id AND m.id <= last_id
      WHERE c."networkAt" IS NOT NULL AND (is_all OR c.id IN (SELECT unnest(written)))
      ORDER BY m.destination, c."networkAt" DESC
    ), ended AS (
      DELETE FROM dispatch.number_networks AS known USING reported
      WHERE reported.network IS NULL AND known.destination = reported.destination
        AND known.learned_at <= reported.at
    )
    INSERT INTO dispatch.number_networks AS known (destination, network, learned_at)
    SELECT destination, network, at FROM reported WHERE network IS NOT NULL
    ON CONFLICT (destination) DO UPDATE
    SET network = excluded.network, learned_at = excluded.learned_at
    WHERE known.learned_at < excluded.learned_at AND (
      known.network <> excluded.network OR known.learned_at <= excluded.learned_at - interval '1 day');
  END IF;

  IF attempts IS NOT NULL THEN
    INSERT INTO dispatch.attempts (
      message_id, number, provider, started_at, finished_at, outcome, provider_message_id, reason,
      raw_code, raw_message, was_ambiguous, late_delivery, held_by, resend, parts)
    SELECT
      a."messageId", a.number, a.provider, a."startedAt", a."finishedAt", a.outcome,
      a."providerMessageId", a.reason, a."rawCode", a."rawMessage", a."wasAmbiguous",
      a."lateDelivery", a."senderId", a.resend, a.parts
    FROM json_to_recordset(attempts) AS a (
      "messageId" uuid, number smallint, provider text, "startedAt" timestamptz,
      "finishedAt" timestamptz, outcome text, "providerMessageId" text, reason text,
      "rawCode" text, "rawMessage" text, "wasAmbiguous" boolean, "lateDelivery" boolean,
      "senderId" uuid, resend smallint, parts json)
    WHERE is_all OR a."messageId" IN (SELECT unnest(written))
    ON CONFLICT (message_id, number) DO UPDATE SET
      finished_at = excluded.finished_at, outcome = excluded.outcome,
      provider_message_id = excluded.provider_message_id, reason = excluded.reason,
      raw_code = excluded.raw_code, raw_message = excluded.raw_message,
      was_ambiguous = excluded.was_ambiguous, late_delivery = excluded.late_delivery,
      held_by = excluded.held_by, parts = excluded.parts;
  END IF;

  -- The carrier named the parts (`partIds`). A report can name one of them alone, which match-reports.sql then finds.
  IF strpos(attempts_text, '"partIds"') > 0 THEN
    INSERT INTO dispatch.attempt_parts (provider_message_id, provider, message_id)
    SELECT part.id, a.provider, a."messageId"
    FROM json_to_recordset(attempts) AS a ("messageId" uuid, provider text, "partIds" json)
    CROSS JOIN LATERAL json_array_elements_text(a."partIds") AS part (id)
    WHERE is_all OR a."messageId" IN (SELECT unnest(written))
    ON CONFLICT DO NOTHING;
  END IF;

  -- A carrier refused the number as Do Not Disturb (`learnsDoNotDisturb`): it is on the list for 30 days.
  IF strpos(attempts_text, '"learnsDoNotDisturb"') > 0 THEN
    INSERT INTO dispatch.dnd_numbers AS known (destination, origin, country_code, expires_at)
    SELECT DISTINCT ON (m.destination)
      m.destination, 'learned', m.country_code, m.updated_at + interval '30 days'
    FROM json_to_recordset(attempts) AS a ("messageId" uuid, "learnsDoNotDisturb" boolean)
    JOIN dispatch.messages m
      ON m.id = a."messageId" AND m.id >= first_id AND m.id <= last_id
    WHERE a."learnsDoNotDisturb" AND (is_all OR m.id IN (SELECT unnest(written)))
    ORDER BY m.destination, m.updated_at DESC
    ON CONFLICT (destination, origin) DO UPDATE
    SET expires_at = greatest(known.expires_at, excluded.expires_at);
  END IF;

  -- A carrier refused the number as opted out of the message's sender (`optOutId`): that counts as a STOP to it.
  IF strpos(attempts_text, '"optOutId"') > 0 THEN
    INSERT INTO dispatch.opt_outs (id, workspace_id, destination, sender_id, folded, created_at)
    SELECT a."optOutId", m.workspace_id, m.destination, coalesce(m.sender_id, ''), a."optOutFolded", m.updated_at
    FROM json_to_recordset(attempts) AS a ("messageId" uuid, "optOutId" uuid, "optOutFolded" text)
    JOIN dispatch.messages m
      ON m.id = a."messageId" AND m.id >= first_id AND m.id <= last_id
    WHERE a."optOutId" IS NOT NULL AND (is_all OR m.id IN (SELECT unnest(written)))
    ORDER BY m.destination, a."optOutFolded", m.workspace_id
    ON CONFLICT DO NOTHING;
  END IF;

  IF outgoing IS NOT NULL THEN
    INSERT INTO dispatch.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT o.topic, r.reader, o.key, o.id, o.type, o.time, o.payload
    FROM ROWS FROM (
      json_to_recordset(outgoing) AS (
        "messageId" uuid, topic text, key text, id text, type text, time timestamptz),
      string_to_table(payloads, E'\n')
    ) WITH ORDINALITY AS o ("messageId", topic, key, id, type, time, payload, ordinal)
    JOIN dispatch.message_queue_readers AS r ON r.topic = o.topic
    WHERE is_all OR o."messageId" IN (SELECT unnest(written)) ORDER BY o.ordinal;
  END IF;

  IF keys IS NOT NULL THEN
    INSERT INTO dispatch.idempotency_keys
      (workspace_id, scope, key, fingerprint, answer, created_at)
    SELECT k."workspaceId", k.scope, k.key, k.fingerprint, k.result, k."createdAt"
    FROM json_to_recordset(keys) AS k (
      "messageId" uuid, "workspaceId" uuid, scope text, key text, fingerprint text, result json,
      "createdAt" timestamptz)
    WHERE is_all OR k."messageId" IN (SELECT unnest(written));
  END IF;
  RETURN QUERY SELECT unnest(written);
END $$;
