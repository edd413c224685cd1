-- Writes new messages with their attempts and events. Returns the ids of those that are new. A message that is known
-- stays as it is, and its attempts and events are left out.
--
-- Batches are JSON in the names of the program (`Message` and `Attempt` in message.ts): one parameter, however many
-- columns there are. `size` is the number of messages; the other parameters are as in change-messages.sql.
-- `late`: the roll-up of an hour that has ended is made again (count-usage.sql).
-- `ON CONFLICT` names no key: for a named one, the executor looks for its index in each partition.
CREATE OR REPLACE FUNCTION dispatch.add_messages(
  messages json, size integer, attempts json, scheduled json, outgoing json, payloads text
) RETURNS SETOF uuid LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  written uuid[];
  is_all boolean;
BEGIN
  WITH inserted AS (
    INSERT INTO dispatch.messages (
      id, workspace_id, kind, family, test_mode, destination, country_code, network, sender_id,
      body, original_body, rewritten, encoding, segments, credits, price_rule, metadata,
      created_at, state, version, provider, provider_message_id, reason, refunded, settled_at,
      sent_at, delivered_at, verified_at, ended_at, updated_at, code_length, ttl_seconds,
      expires_at, language, brand, template, max_attempts, attempt_count, code_hash, code_cipher,
      last_line, resend_max, resends, antispam, send_at, price_amount, price_currency,
      category)
    SELECT
      id, "workspaceId", kind, family, "testMode", destination, "countryCode", network,
      "senderId", body, "originalBody", rewritten, encoding, segments, credits, "priceRule",
      metadata, "createdAt", state, version, provider, "providerMessageId", reason, refunded,
      "settledAt", "sentAt", "deliveredAt", "verifiedAt", "endedAt", "updatedAt", "codeLength",
      "ttlSeconds", "expiresAt", language, brand, template, "maxAttempts", "attemptCount",
      "codeHash", "codeCipher", "lastLine", "resendMax", resends, antispam, "sendAt",
      "priceAmount", "priceCurrency", category
    FROM json_to_recordset(messages) AS m (
      id uuid, "workspaceId" uuid, kind text, family text, "testMode" boolean, destination text,
      "countryCode" text, network text, "senderId" text, body text, "originalBody" text,
      rewritten boolean, encoding text, segments integer, credits bigint, "priceRule" text,
      metadata json, "createdAt" timestamptz, state text, version integer, provider text,
      "providerMessageId" text, reason text, refunded boolean, "settledAt" timestamptz,
      "sentAt" timestamptz, "deliveredAt" timestamptz, "verifiedAt" timestamptz,
      "endedAt" timestamptz, "updatedAt" timestamptz, "codeLength" smallint,
      "ttlSeconds" integer, "expiresAt" timestamptz, language text, brand text, template text,
      "maxAttempts" integer, "attemptCount" integer, "codeHash" text, "codeCipher" text,
      "lastLine" text, "resendMax" smallint, resends json, antispam json,
      "sendAt" timestamptz, "priceAmount" bigint, "priceCurrency" text, category text)
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, created_at, updated_at
  ), late AS (
    INSERT INTO dispatch.changed_hours (workspace_id, hour)
    SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC')
    FROM inserted WHERE created_at < date_trunc('hour', updated_at, 'UTC')
  ) SELECT array_agg(id) INTO written FROM inserted;
  IF written IS NULL THEN RETURN; END IF;
  is_all := cardinality(written) = size;

  IF attempts IS NOT NULL THEN
    INSERT INTO dispatch.attempts (
      message_id, number, provider, started_at, finished_at, outcome, provider_message_id, reason,
      raw_code, raw_message, was_ambiguous, late_delivery, held_by, resend)
    SELECT
      a."messageId", a.number, a.provider, a."startedAt", a."finishedAt", a.outcome,
      a."providerMessageId", a.reason, a."rawCode", a."rawMessage", a."wasAmbiguous",
      a."lateDelivery", a."senderId", a.resend
    FROM json_to_recordset(attempts) AS a (
      "messageId" uuid, number smallint, provider text, "startedAt" timestamptz,
      "finishedAt" timestamptz, outcome text, "providerMessageId" text, reason text,
      "rawCode" text, "rawMessage" text, "wasAmbiguous" boolean, "lateDelivery" boolean,
      "senderId" uuid, resend smallint)
    WHERE is_all OR a."messageId" IN (SELECT unnest(written));
  END IF;

  IF scheduled IS NOT NULL THEN
    INSERT INTO dispatch.scheduled_messages (message_id, send_at, command)
    SELECT s."messageId", s."sendAt", s.command
    FROM json_to_recordset(scheduled) AS s ("messageId" uuid, "sendAt" timestamptz, command json)
    WHERE is_all OR s."messageId" IN (SELECT unnest(written));
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

  RETURN QUERY SELECT unnest(written);
END $$;
