-- For replicas of the release before; change-messages.sql has taken its place. It goes with the next release.
--
-- Writes messages that still have the version that was read; answers their ids. Rows are locked in sorted order, so
-- that batches never deadlock. A row that another write changed in between is left alone, with all that belongs to it;
-- so is a row outside the walls of the caller (`withinWorkspaceId`, `withinTestMode`; null is no wall).
--
-- Statements name the span of the ids, so that only its partitions are set up (see change-messages.sql). A message that
-- comes alone is locked by its update.
CREATE OR REPLACE FUNCTION dispatch.update_messages(
  changes json, attempts json, outgoing json, keys json
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
  ids uuid[];
  first_id uuid;
  last_id uuid;
  written uuid[];
BEGIN
  IF json_array_length(changes) = 1 THEN
    first_id := changes -> 0 ->> 'id';
    last_id := first_id;
  ELSE
    ids := array(SELECT c.id FROM json_to_recordset(changes) AS c (id uuid) ORDER BY c.id);
    first_id := ids[1];
    last_id := ids[cardinality(ids)];
    PERFORM FROM dispatch.messages m
      WHERE m.id = ANY (ids) AND m.id >= first_id AND m.id <= last_id
      ORDER BY m.id FOR NO KEY UPDATE;
  END IF;

  WITH changed AS (
    UPDATE dispatch.messages m SET
      version = c.version + 1, state = c.state, provider = c.provider,
      provider_message_id = c."providerMessageId", reason = c.reason, refunded = c.refunded,
      settled_at = c."settledAt", sent_at = c."sentAt", delivered_at = c."deliveredAt",
      verified_at = c."verifiedAt", ended_at = c."endedAt", updated_at = c."updatedAt",
      attempt_count = c."attemptCount", code_cipher = c."codeCipher",
      resends = c.resends
    FROM json_to_recordset(changes) AS c (
      id uuid, version integer, state text, provider text, "providerMessageId" text,
      reason text, refunded boolean, "settledAt" timestamptz, "sentAt" timestamptz,
      "deliveredAt" timestamptz, "verifiedAt" timestamptz, "endedAt" timestamptz,
      "updatedAt" timestamptz, "attemptCount" integer, "codeCipher" text, resends json,
      "withinWorkspaceId" uuid, "withinTestMode" boolean)
    WHERE m.id = c.id AND m.version = c.version AND m.id >= first_id AND m.id <= last_id
      AND c.id >= first_id AND c.id <= last_id
      AND m.workspace_id = coalesce(c."withinWorkspaceId", m.workspace_id)
      AND m.test_mode = coalesce(c."withinTestMode", m.test_mode)
    RETURNING m.id
  ) SELECT array_agg(id) INTO written FROM changed;

  IF json_array_length(attempts) > 0 THEN
    INSERT INTO dispatch.attempts (
message_id, number, provider, started_at, finished_at, outcome, provider_message_id, reason,
raw_code, raw_message, was_ambiguous, late_delivery, sender_id, held_by, resend
)
    SELECT
a."messageId", a.number, a.provider, a."startedAt", a."finishedAt", a.outcome,
a."providerMessageId", a.reason, a."rawCode", a."rawMessage", a."wasAmbiguous",
a."lateDelivery", a."senderId", a."senderId", a.resend
 FROM json_to_recordset(attempts) AS a (
"messageId" uuid, number smallint, provider text, "startedAt" timestamptz,
"finishedAt" timestamptz, outcome text, "providerMessageId" text, reason text, "rawCode" text,
"rawMessage" text, "wasAmbiguous" boolean, "lateDelivery" boolean, "senderId" uuid,
resend smallint
)
    WHERE a."messageId" = written[1] OR (a."messageId" IN (SELECT unnest(written))) IS TRUE
    ON CONFLICT (message_id, number) DO UPDATE SET
      finished_at = excluded.finished_at, outcome = excluded.outcome,
      provider_message_id = excluded.provider_message_id, reason = excluded.reason,
      raw_code = excluded.raw_code, raw_message = excluded.raw_message,
      was_ambiguous = excluded.was_ambiguous, late_delivery = excluded.late_delivery,
      sender_id = excluded.sender_id, held_by = excluded.held_by;
  END IF;

  -- A live SMS that a carrier refused as Do Not Disturb: the number is on the list for 30 days.
  IF strpos(attempts::text, '"dnd_active"') > 0 THEN
    INSERT INTO dispatch.dnd_numbers AS known (destination, origin, country_code, expires_at)
    SELECT DISTINCT ON (m.destination)
      m.destination, 'learned', m.country_code, m.updated_at + interval '30 days'
    FROM json_to_recordset(attempts) AS a ("messageId" uuid, reason text)
    JOIN dispatch.messages m
      ON m.id = a."messageId" AND m.id >= first_id AND m.id <= last_id
    WHERE a.reason = 'dnd_active' AND (m.id IN (SELECT unnest(written))) IS TRUE
      AND m.kind = 'sms' AND NOT m.test_mode
    ORDER BY m.destination, m.updated_at DESC
    ON CONFLICT (destination, origin) DO UPDATE
    SET expires_at = greatest(known.expires_at, excluded.expires_at);
  END IF;

  IF json_array_length(outgoing) > 0 THEN
    INSERT INTO dispatch.outbox (topic, key, message_id, type, occurred_at, payload)
    SELECT o.topic, o.key, o.id, o.type, o.time, o.payload::text
    FROM json_to_recordset(outgoing) AS o (
"messageId" uuid, ordinal integer, topic text, key text, id text, type text, time timestamptz,
payload json
)
    WHERE o."messageId" = written[1] OR (o."messageId" IN (SELECT unnest(written))) IS TRUE
    ORDER BY o.ordinal;
  END IF;

  IF json_array_length(keys) > 0 THEN
    INSERT INTO dispatch.idempotency_keys
      (workspace_id, scope, key, fingerprint, message_id, result, created_at)
    SELECT
      k."workspaceId", k.scope, k.key, k.fingerprint, k."messageId", k.result, k."createdAt"
    FROM json_to_recordset(keys) AS k (
      "messageId" uuid, "workspaceId" uuid, scope text, key text, fingerprint text, result json,
      "createdAt" timestamptz)
    WHERE k."messageId" = written[1] OR (k."messageId" IN (SELECT unnest(written))) IS TRUE;
  END IF;
  RETURN QUERY SELECT unnest(written);
END $$;
