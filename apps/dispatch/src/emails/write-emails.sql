-- Writes emails with their recipients, attempts and events. Returns the written ids.
--
-- Batches come as JSON in the names of the program (email.ts). A new email (`version` 1, `isNew`) is inserted unless
-- it is there already. A known one is written only while it has the version that was read; rows are locked in sorted
-- order, so that batches never deadlock. Rows that belong to an unwritten email are left out.
CREATE OR REPLACE FUNCTION dispatch.write_emails(
  emails json, recipients json, attempts json, outgoing json, keys json, reports json
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
BEGIN
  WITH incoming AS (
    SELECT * FROM json_to_recordset(emails) AS e (
      "isNew" boolean, id uuid, "workspaceId" uuid, "testMode" boolean, version integer,
      command json, "fromAddress" text, "toAddresses" json, tags json, "contentSha256" text,
      status text, "createdAt" timestamptz, "sendAt" timestamptz, "queuedAt" timestamptz,
      "updatedAt" timestamptz, refunded boolean, "settledAt" timestamptz)
  ), inserted AS (
    INSERT INTO dispatch.emails (
      id, workspace_id, test_mode, version, command, from_address, to_addresses, tags,
      content_sha256, status, created_at, send_at, queued_at, updated_at, refunded, settled_at)
    SELECT
      id, "workspaceId", "testMode", version, command, "fromAddress",
      ARRAY(SELECT json_array_elements_text("toAddresses")), ARRAY(SELECT json_array_elements_text(tags)),
      "contentSha256", status, "createdAt", "sendAt", "queuedAt", "updatedAt", refunded, "settledAt"
    FROM incoming WHERE "isNew"
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id, created_at, updated_at
  ), locked AS (
    SELECT i.* FROM incoming i JOIN dispatch.emails e ON e.id = i.id
    WHERE NOT i."isNew" AND e.version = i.version
    ORDER BY e.id FOR NO KEY UPDATE OF e
  ), changed AS (
    UPDATE dispatch.emails e SET
      version = l.version + 1, status = l.status, queued_at = l."queuedAt",
      updated_at = l."updatedAt", refunded = l.refunded, settled_at = l."settledAt"
    FROM locked l WHERE e.id = l.id
    RETURNING e.id, e.workspace_id, e.created_at, e.updated_at
  ), every AS (
    SELECT * FROM inserted UNION ALL SELECT * FROM changed
  ), late AS (
    -- As in change-messages.sql.
    INSERT INTO dispatch.changed_hours (workspace_id, hour)
    SELECT DISTINCT workspace_id, date_trunc('hour', created_at, 'UTC')
    FROM every WHERE created_at < date_trunc('hour', updated_at, 'UTC')
  ) SELECT array_agg(id) INTO written FROM every;

  IF json_array_length(recipients) > 0 THEN
    INSERT INTO dispatch.email_recipients (
      email_id, number, address, state, due_at, deferrals, step, bounce, reason, failure_announced,
      delayed_at, sent_at, delivered_at, ended_at, complained_at, opened_at, clicked_at,
      unsubscribed_at, opens_announced, clicks_announced)
    SELECT
      "emailId", number, address, state, "dueAt", deferrals, step, bounce, reason, "failureAnnounced",
      "delayedAt", "sentAt", "deliveredAt", "endedAt", "complainedAt", "openedAt", "clickedAt",
      "unsubscribedAt", coalesce("opensAnnounced", 0), coalesce("clicksAnnounced", 0)
    FROM json_to_recordset(recipients) AS r (
      "emailId" uuid, number smallint, address text, state text, "dueAt" timestamptz,
      deferrals smallint, step smallint, bounce json, reason text, "failureAnnounced" boolean,
      "delayedAt" timestamptz, "sentAt" timestamptz, "deliveredAt" timestamptz,
      "endedAt" timestamptz, "complainedAt" timestamptz, "openedAt" timestamptz,
      "clickedAt" timestamptz, "unsubscribedAt" timestamptz, "opensAnnounced" smallint,
      "clicksAnnounced" smallint)
    WHERE ("emailId" IN (SELECT unnest(written))) IS TRUE
    ON CONFLICT (email_id, number) DO UPDATE SET
      state = excluded.state, due_at = excluded.due_at, deferrals = excluded.deferrals,
      step = excluded.step, bounce = excluded.bounce, reason = excluded.reason,
      failure_announced = excluded.failure_announced, delayed_at = excluded.delayed_at,
      sent_at = excluded.sent_at, delivered_at = excluded.delivered_at,
      ended_at = excluded.ended_at, complained_at = excluded.complained_at,
      opened_at = excluded.opened_at, clicked_at = excluded.clicked_at,
      unsubscribed_at = excluded.unsubscribed_at,
      opens_announced = excluded.opens_announced, clicks_announced = excluded.clicks_announced;
  END IF;

  IF json_array_length(attempts) > 0 THEN
    INSERT INTO dispatch.email_attempts (
      email_id, recipient, number, round, provider, started_at, finished_at, outcome,
      was_ambiguous, provider_message_id, raw_code, raw_message, held_by, is_temporary)
    SELECT
      "emailId", recipient, number, round, provider, "startedAt", "finishedAt", outcome,
      "wasAmbiguous", "providerMessageId", "rawCode", "rawMessage", "heldBy", "isTemporary"
    FROM json_to_recordset(attempts) AS a (
      "emailId" uuid, recipient smallint, number smallint, round smallint, provider text,
      "startedAt" timestamptz, "finishedAt" timestamptz, outcome text, "wasAmbiguous" boolean,
      "providerMessageId" text, "rawCode" text, "rawMessage" text, "heldBy" uuid,
      "isTemporary" boolean)
    WHERE ("emailId" IN (SELECT unnest(written))) IS TRUE
    ON CONFLICT (email_id, recipient, number) DO UPDATE SET
      finished_at = excluded.finished_at, outcome = excluded.outcome,
      was_ambiguous = excluded.was_ambiguous, provider_message_id = excluded.provider_message_id,
      raw_code = excluded.raw_code, raw_message = excluded.raw_message, held_by = excluded.held_by,
      is_temporary = excluded.is_temporary;
  END IF;

  IF json_array_length(outgoing) > 0 THEN
    INSERT INTO dispatch.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT o.topic, r.reader, o.key, o.id, o.type, o.time, o.payload::text
    FROM json_to_recordset(outgoing) AS o (
      "emailId" uuid, ordinal integer, topic text, key text, id text, type text, time timestamptz,
      payload json)
    JOIN dispatch.message_queue_readers AS r ON r.topic = o.topic
    WHERE (o."emailId" IN (SELECT unnest(written))) IS TRUE ORDER BY o.ordinal;
  END IF;

  IF json_array_length(keys) > 0 THEN
    INSERT INTO dispatch.idempotency_keys
      (workspace_id, scope, key, fingerprint, answer, created_at)
    SELECT k."workspaceId", k.scope, k.key, k.fingerprint, k.result, k."createdAt"
    FROM json_to_recordset(keys) AS k (
      "emailId" uuid, "workspaceId" uuid, scope text, key text, fingerprint text, result json,
      "createdAt" timestamptz)
    WHERE (k."emailId" IN (SELECT unnest(written))) IS TRUE;
  END IF;

  IF json_array_length(reports) > 0 THEN
    INSERT INTO dispatch.email_reports (report_id, email_id, received_at)
    SELECT r."reportId", r."emailId", r."receivedAt"
    FROM json_to_recordset(reports) AS r ("emailId" uuid, "reportId" text, "receivedAt" timestamptz)
    WHERE (r."emailId" IN (SELECT unnest(written))) IS TRUE
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT unnest(written);
END $$;
