import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';

/**
 * The statements of the data plane, as functions.
 *
 * Batches come as JSON in the names of the program (`Message` and `Attempt` in `messages/message.ts`), one
 * text however many columns there are. Payloads of the outbox pass through as they were written.
 * `(... IN (SELECT ...)) IS TRUE` is looked up in a hash table; without the detour it would become a join,
 * here a nested loop over the batch for each of its items.
 *
 * What hangs on the messages is a statement of its own, and only where there is any: one code that is
 * verified writes no attempt and no key, and starting the plan of a write costs more than a row.
 */

const ATTEMPT_FIELDS = `
  "messageId" uuid, number smallint, provider text, "startedAt" timestamptz,
  "finishedAt" timestamptz, outcome text, "providerMessageId" text, reason text, "rawCode" text,
  "rawMessage" text, "wasAmbiguous" boolean, "lateDelivery" boolean, "senderId" uuid,
  resend smallint
`;

const ATTEMPT_COLUMNS = `
  message_id, number, provider, started_at, finished_at, outcome, provider_message_id, reason,
  raw_code, raw_message, was_ambiguous, late_delivery, sender_id, resend
`;

const ATTEMPT_VALUES = `
  a."messageId", a.number, a.provider, a."startedAt", a."finishedAt", a.outcome,
  a."providerMessageId", a.reason, a."rawCode", a."rawMessage", a."wasAmbiguous",
  a."lateDelivery", a."senderId", a.resend
`;

const OUTGOING_FIELDS = `
  "messageId" uuid, ordinal integer, topic text, key text, id text, type text, time timestamptz,
  payload json
`;

const OUTBOX_COLUMNS = 'topic, key, message_id, type, occurred_at, payload';

/** Of the messages of this batch, those that were written: all that hangs on the others is left out. */
const WAS_WRITTEN = (of: string) => `(${of}."messageId" IN (SELECT unnest(written))) IS TRUE`;

const ANNOUNCE = `
    IF json_array_length(outgoing) > 0 THEN
      INSERT INTO dispatch.outbox (${OUTBOX_COLUMNS})
      SELECT o.topic, o.key, o.id, o.type, o.time, o.payload::text
      FROM json_to_recordset(outgoing) AS o (${OUTGOING_FIELDS})
      WHERE ${WAS_WRITTEN('o')} ORDER BY o.ordinal;
    END IF;
`;

/** A message that is there already stays as it is, and brings neither attempt nor event. */
const INSERT = `
  CREATE OR REPLACE FUNCTION dispatch.insert_messages(messages json, attempts json, outgoing json)
  RETURNS SETOF uuid LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  DECLARE
    written uuid[];
  BEGIN
    WITH inserted AS (
      INSERT INTO dispatch.messages (
        id, workspace_id, kind, family, test_mode, destination, country_code, network, sender_id,
        body, original_body, rewritten, encoding, segments, credits, price_rule, metadata,
        created_at, state, version, provider, provider_message_id, reason, refunded, settled_at,
        sent_at, delivered_at, verified_at, ended_at, updated_at, code_length, ttl_seconds,
        expires_at, language, brand, template, max_attempts, attempt_count, code_hash, code_cipher,
        last_line, resend_max, resends, antispam)
      SELECT
        id, "workspaceId", kind, family, "testMode", destination, "countryCode", network,
        "senderId", body, "originalBody", rewritten, encoding, segments, credits, "priceRule",
        metadata, "createdAt", state, version, provider, "providerMessageId", reason, refunded,
        "settledAt", "sentAt", "deliveredAt", "verifiedAt", "endedAt", "updatedAt", "codeLength",
        "ttlSeconds", "expiresAt", language, brand, template, "maxAttempts", "attemptCount",
        "codeHash", "codeCipher", "lastLine", "resendMax", resends, antispam
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
        "lastLine" text, "resendMax" smallint, resends json, antispam json)
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    ) SELECT array_agg(id) INTO written FROM inserted;

    IF json_array_length(attempts) > 0 THEN
      INSERT INTO dispatch.attempts (${ATTEMPT_COLUMNS})
      SELECT ${ATTEMPT_VALUES} FROM json_to_recordset(attempts) AS a (${ATTEMPT_FIELDS})
      WHERE ${WAS_WRITTEN('a')};
    END IF;
    ${ANNOUNCE}
    RETURN QUERY SELECT unnest(written);
  END $$;
`;

/**
 * Writes what still has the version that was read. Rows are locked in sorted order, so that batches never
 * deadlock; a row that another write changed in between is left alone, with all that hangs on it.
 */
const UPDATE = `
  CREATE OR REPLACE FUNCTION dispatch.update_messages(
    changes json, attempts json, outgoing json, keys json
  ) RETURNS SETOF uuid LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  DECLARE
    written uuid[];
  BEGIN
    WITH incoming AS (
      SELECT * FROM json_to_recordset(changes) AS c (
        id uuid, version integer, state text, provider text, "providerMessageId" text,
        reason text, refunded boolean, "settledAt" timestamptz, "sentAt" timestamptz,
        "deliveredAt" timestamptz, "verifiedAt" timestamptz, "endedAt" timestamptz,
        "updatedAt" timestamptz, "attemptCount" integer, "codeCipher" text, resends json)
    ), locked AS (
      SELECT c.* FROM incoming c JOIN dispatch.messages m ON m.id = c.id
      WHERE m.version = c.version
      ORDER BY m.id FOR NO KEY UPDATE OF m
    ), changed AS (
      UPDATE dispatch.messages m SET
        version = c.version + 1, state = c.state, provider = c.provider,
        provider_message_id = c."providerMessageId", reason = c.reason, refunded = c.refunded,
        settled_at = c."settledAt", sent_at = c."sentAt", delivered_at = c."deliveredAt",
        verified_at = c."verifiedAt", ended_at = c."endedAt", updated_at = c."updatedAt",
        attempt_count = c."attemptCount", code_cipher = c."codeCipher",
        resends = c.resends
      FROM locked c WHERE m.id = c.id
      RETURNING m.id
    ) SELECT array_agg(id) INTO written FROM changed;

    IF json_array_length(attempts) > 0 THEN
      INSERT INTO dispatch.attempts (${ATTEMPT_COLUMNS})
      SELECT ${ATTEMPT_VALUES} FROM json_to_recordset(attempts) AS a (${ATTEMPT_FIELDS})
      WHERE ${WAS_WRITTEN('a')}
      ON CONFLICT (message_id, number) DO UPDATE SET
        finished_at = excluded.finished_at, outcome = excluded.outcome,
        provider_message_id = excluded.provider_message_id, reason = excluded.reason,
        raw_code = excluded.raw_code, raw_message = excluded.raw_message,
        was_ambiguous = excluded.was_ambiguous, late_delivery = excluded.late_delivery,
        sender_id = excluded.sender_id;
    END IF;
    ${ANNOUNCE}
    IF json_array_length(keys) > 0 THEN
      INSERT INTO dispatch.idempotency_keys
        (workspace_id, scope, key, fingerprint, message_id, result, created_at)
      SELECT
        k."workspaceId", k.scope, k.key, k.fingerprint, k."messageId", k.result, k."createdAt"
      FROM json_to_recordset(keys) AS k (
        "messageId" uuid, "workspaceId" uuid, scope text, key text, fingerprint text, result json,
        "createdAt" timestamptz)
      WHERE ${WAS_WRITTEN('k')};
    END IF;
    RETURN QUERY SELECT unnest(written);
  END $$;
`;

const READ = `
  CREATE OR REPLACE FUNCTION dispatch.read_messages(ids uuid[])
  RETURNS SETOF json LANGUAGE plpgsql STABLE ${PLANNED_ONCE_BY_KEY} AS $$
  BEGIN
    RETURN QUERY
    SELECT row_to_json(message) FROM (
      SELECT
        m.id, m.workspace_id AS "workspaceId", m.kind, m.family, m.test_mode AS "testMode",
        m.destination, m.country_code AS "countryCode", m.network, m.sender_id AS "senderId",
        m.body, m.original_body AS "originalBody", m.rewritten, m.encoding, m.segments, m.credits,
        m.price_rule AS "priceRule", m.metadata, m.created_at AS "createdAt", m.state, m.version,
        m.provider, m.provider_message_id AS "providerMessageId", m.reason, m.refunded,
        m.settled_at AS "settledAt", m.sent_at AS "sentAt", m.delivered_at AS "deliveredAt",
        m.verified_at AS "verifiedAt", m.ended_at AS "endedAt", m.updated_at AS "updatedAt",
        CASE m.kind WHEN 'otp' THEN json_build_object(
          'codeLength', m.code_length, 'ttlSeconds', m.ttl_seconds, 'expiresAt', m.expires_at,
          'language', m.language, 'brand', m.brand, 'template', m.template,
          'maxAttempts', m.max_attempts, 'attemptCount', m.attempt_count,
          'lastLine', m.last_line, 'resendMax', m.resend_max,
          'codeHash', m.code_hash, 'codeCipher', m.code_cipher) END AS otp,
        m.resends, m.antispam,
        (SELECT json_agg(attempt ORDER BY attempt.number) FROM (
          SELECT
            a.number, a.provider, a.started_at AS "startedAt", a.finished_at AS "finishedAt",
            a.outcome, a.provider_message_id AS "providerMessageId", a.reason,
            a.raw_code AS "rawCode", a.raw_message AS "rawMessage",
            a.was_ambiguous AS "wasAmbiguous", a.late_delivery AS "lateDelivery",
            a.sender_id AS "senderId", a.resend
          FROM dispatch.attempts a WHERE a.message_id = m.id) AS attempt) AS attempts
      FROM dispatch.messages m WHERE m.id = ANY (ids)) AS message;
  END $$;
`;

/** By the carrier's own id; the message that had it last, should a carrier give one twice. */
const MATCH = `
  CREATE OR REPLACE FUNCTION dispatch.match_reports(providers text[], provider_message_ids text[])
  RETURNS TABLE (ordinal bigint, message_id uuid)
  LANGUAGE plpgsql STABLE ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT r.ordinal, (
      SELECT a.message_id FROM dispatch.attempts a
      WHERE a.provider_message_id = r.provider_message_id AND a.provider = r.provider
      ORDER BY a.message_id DESC LIMIT 1)
    FROM unnest(providers, provider_message_ids)
      WITH ORDINALITY AS r (provider, provider_message_id, ordinal);
  END $$;
`;

export const FUNCTIONS = [INSERT, UPDATE, READ, MATCH];
