import { createOutbox } from '@watchword/bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS } from './functions.sql.js';

/**
 * - `messages` is updated in place three or four times in its life. No column that changes is indexed and
 *   half of every page is left free, so that these updates touch no index (HOT).
 * - `attempts` is written before a provider is called and completed after. `sender_id` names the process
 *   that is at it; what a dead process left behind is found by it.
 */
export class Messages1795219200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(MESSAGES);
    await queryRunner.query(ATTEMPTS);
    await queryRunner.query(REST);
    await queryRunner.query(createOutbox('dispatch'));
    for (const statement of FUNCTIONS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const MESSAGES = `
  CREATE TABLE messages (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('otp', 'sms')),
    family text NOT NULL,
    test_mode boolean NOT NULL,
    destination text NOT NULL,
    country_code text NOT NULL,
    network text,
    sender_id text,
    body text,
    original_body text,
    rewritten boolean NOT NULL,
    encoding text NOT NULL,
    segments integer NOT NULL,
    credits bigint NOT NULL,
    price_rule text NOT NULL,
    metadata json NOT NULL,
    created_at timestamptz NOT NULL,

    state text NOT NULL,
    version integer NOT NULL,
    provider text,
    provider_message_id text,
    reason text,
    refunded boolean,
    settled_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    verified_at timestamptz,
    ended_at timestamptz,
    updated_at timestamptz NOT NULL,

    code_length smallint,
    ttl_seconds integer,
    expires_at timestamptz,
    language text,
    brand text,
    template text,
    max_attempts integer,
    attempt_count integer,
    -- HMAC-SHA256 under a pepper that is not in this database, salted with the id.
    code_hash text,
    -- AES-256-GCM; only while the code still has to be handed to a provider.
    code_cipher text,

    CHECK ((kind = 'otp') = (code_hash IS NOT NULL)),
    CHECK ((kind = 'sms') = (body IS NOT NULL AND body <> '')),
    CHECK (attempt_count <= max_attempts)
  ) WITH (fillfactor = 50);

  -- The expiry sweep walks along it; neither column ever changes.
  CREATE INDEX messages_expires_at ON messages (expires_at, id) WHERE kind = 'otp';
  -- Test messages whose simulated receipts are resumed at start.
  CREATE INDEX messages_test_mode ON messages (id) WHERE test_mode;
`;

const ATTEMPTS = `
  CREATE TABLE attempts (
    -- Written in one statement with its message, which is what a foreign key would check, row by row.
    message_id uuid NOT NULL,
    number smallint NOT NULL,
    provider text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    outcome text CHECK (outcome IN ('accepted', 'refused', 'ambiguous')),
    provider_message_id text,
    reason text,
    raw_code text,
    raw_message text,
    late_delivery boolean NOT NULL,
    sender_id uuid,
    PRIMARY KEY (message_id, number)
  ) WITH (fillfactor = 80);

  -- Not unique: a carrier that gives one id twice must not be able to stop a batch.
  CREATE INDEX attempts_provider_message_id ON attempts (provider_message_id, provider)
    WHERE provider_message_id IS NOT NULL;
  CREATE INDEX attempts_unfinished ON attempts (message_id) WHERE sender_id IS NOT NULL;
`;

const REST = `
  -- The processes that send, and until when each is certainly alive.
  CREATE TABLE senders (
    id uuid PRIMARY KEY,
    alive_until timestamptz NOT NULL
  ) WITH (fillfactor = 50);

  -- Delivery reports that match nothing yet: they can overtake the answer that brings their id.
  CREATE TABLE parked_reports (
    report_id text PRIMARY KEY,
    report json NOT NULL,
    checks integer NOT NULL DEFAULT 0,
    check_at timestamptz NOT NULL,
    parked_at timestamptz NOT NULL
  );
  CREATE INDEX parked_reports_check_at ON parked_reports (check_at);

  -- Counted verifications by idempotency key, written together with the count.
  CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    message_id uuid NOT NULL,
    result json NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, key, scope)
  );
  CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

  -- How far a periodic job got, so that it resumes there after a stop.
  CREATE TABLE progress (
    job text PRIMARY KEY,
    reached timestamptz NOT NULL
  );
`;
