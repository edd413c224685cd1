-- Messages with their attempts, as JSON in the names of the program (message.ts). A message outside the scope of its
-- reader (its workspace, the mode of its key) is not returned; null is no bound. The span of the ids names the
-- partitions that are set up; change-messages.sql explains why it bounds the ids themselves, too.
CREATE OR REPLACE FUNCTION dispatch.read_messages_within(ids uuid[], workspace_ids uuid[], test_modes boolean[])
RETURNS SETOF json LANGUAGE plpgsql STABLE
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_material = off
SET jit = off
AS $$
DECLARE
  first_id uuid := ids[1];
  last_id uuid := first_id;
BEGIN
  IF cardinality(ids) > 1 THEN
    first_id := (SELECT i FROM unnest(ids) AS i ORDER BY i LIMIT 1);
    last_id := (SELECT i FROM unnest(ids) AS i ORDER BY i DESC LIMIT 1);
  END IF;
  RETURN QUERY
  SELECT row_to_json(message) FROM (
    SELECT
      m.id, m.workspace_id AS "workspaceId", m.kind, m.family, m.test_mode AS "testMode",
      m.destination, m.country_code AS "countryCode", m.network, m.sender_id AS "senderId",
      m.shown_sender AS "shownSender", m.body, m.original_body AS "originalBody", m.category,
      m.rewritten, m.encoding, m.segments, m.credits,
      m.price_rule AS "priceRule", m.metadata, m.created_at AS "createdAt", m.state, m.version,
      m.provider, m.provider_message_id AS "providerMessageId", m.reason, m.refunded,
      m.settled_at AS "settledAt", m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt",
      m.verified_at AS "verifiedAt", m.ended_at AS "endedAt", m.updated_at AS "updatedAt",
      CASE WHEN m.code_length IS NOT NULL THEN json_build_object(
        'codeLength', m.code_length, 'ttlSeconds', m.ttl_seconds, 'expiresAt', m.expires_at,
        'language', m.language, 'brand', m.brand, 'template', m.template,
        'maxAttempts', m.max_attempts, 'attemptCount', m.attempt_count,
        'lastLine', m.last_line, 'resendMax', m.resend_max,
        'codeHash', m.code_hash, 'codeCipher', m.code_cipher) END AS otp,
      m.resends, m.antispam, m.send_at AS "sendAt",
      CASE WHEN m.price_amount IS NOT NULL THEN json_build_object(
        'amount', m.price_amount, 'currency', m.price_currency) END AS "creditPrice",
      (SELECT json_agg(attempt ORDER BY attempt.number) FROM (
        SELECT
          a.number, a.provider, a.started_at AS "startedAt", a.finished_at AS "finishedAt",
          a.outcome, a.provider_message_id AS "providerMessageId", a.reason,
          a.raw_code AS "rawCode", a.raw_message AS "rawMessage",
          a.was_ambiguous AS "wasAmbiguous", a.late_delivery AS "lateDelivery",
          a.held_by AS "senderId", a.resend, a.parts
        FROM dispatch.attempts a
        WHERE a.message_id = m.id AND a.message_id >= first_id AND a.message_id <= last_id
      ) AS attempt) AS attempts
    FROM (
      SELECT * FROM unnest(ids, workspace_ids, test_modes) AS w (id, workspace_id, test_mode)
      WHERE w.id >= first_id AND w.id <= last_id ORDER BY w.id
    ) AS w
    JOIN dispatch.messages m ON m.id = w.id AND m.id >= first_id AND m.id <= last_id
      AND m.workspace_id = coalesce(w.workspace_id, m.workspace_id)
      AND m.test_mode = coalesce(w.test_mode, m.test_mode)) AS message;
END $$;
