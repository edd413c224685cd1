import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Emails beside messages: an email has many recipients, each with a life of its own.
 *
 * - `email_contents` is keyed by hash, so texts and attachments that a workspace sends often are stored once.
 * - `due_at` is the one index that a recipient's life touches: set when something is to be done by itself.
 * - `email_attempts` is written before a provider is called and completed after; `held_by` names the process
 *   that is at it.
 */
export class Emails1795704000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(CONTENTS);
    await queryRunner.query(EMAILS);
    await queryRunner.query(RECIPIENTS);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const CONTENTS = `
  CREATE TABLE email_contents (
    workspace_id uuid NOT NULL,
    sha256 text NOT NULL,
    -- AES-256-GCM over the JSON of EmailContent.
    content_cipher bytea NOT NULL,
    -- When it was last stored: a send within a day refers to it.
    stored_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, sha256)
  );
  ALTER TABLE email_contents ALTER COLUMN content_cipher SET STORAGE EXTERNAL;
  CREATE INDEX email_contents_stored_at ON email_contents (stored_at);
`;

const EMAILS = `
  CREATE TABLE emails (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    test_mode boolean NOT NULL,
    version integer NOT NULL,
    -- SendMessage as billing accepted it.
    command json NOT NULL,
    from_address text NOT NULL,
    -- Lower-cased, for lists.
    to_addresses text[] NOT NULL,
    tags text[] NOT NULL,
    content_sha256 text NOT NULL,
    -- As the public sees it.
    status text NOT NULL,
    created_at timestamptz NOT NULL,
    send_at timestamptz,
    queued_at timestamptz,
    updated_at timestamptz NOT NULL,
    refunded boolean,
    settled_at timestamptz
  ) WITH (fillfactor = 70);

  CREATE INDEX emails_listed ON emails (workspace_id, created_at DESC, id DESC);
  CREATE INDEX emails_content ON emails (workspace_id, content_sha256, created_at);
`;

const RECIPIENTS = `
  CREATE TABLE email_recipients (
    email_id uuid NOT NULL,
    number smallint NOT NULL,
    address text NOT NULL,
    state text NOT NULL CHECK (state IN
      ('queued', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'cancelled')),
    due_at timestamptz,
    deferrals smallint NOT NULL,
    step smallint NOT NULL,
    bounce json,
    reason text,
    failure_told boolean NOT NULL,
    delayed_at timestamptz,
    sent_at timestamptz,
    delivered_at timestamptz,
    ended_at timestamptz,
    complained_at timestamptz,
    opened_at timestamptz,
    clicked_at timestamptz,
    PRIMARY KEY (email_id, number),
    CHECK ((state = 'bounced') = (bounce IS NOT NULL)),
    CHECK ((state = 'failed') = (reason IS NOT NULL))
  ) WITH (fillfactor = 70);
  CREATE INDEX email_recipients_due ON email_recipients (due_at, email_id) WHERE due_at IS NOT NULL;

  CREATE TABLE email_attempts (
    email_id uuid NOT NULL,
    recipient smallint NOT NULL,
    number smallint NOT NULL,
    round smallint NOT NULL,
    provider text NOT NULL,
    started_at timestamptz NOT NULL,
    finished_at timestamptz,
    outcome text CHECK (outcome IN
      ('accepted', 'bounced', 'deferred', 'rejected', 'refused', 'ambiguous')),
    -- Stays true when a late answer settles the ambiguity.
    was_ambiguous boolean NOT NULL,
    provider_message_id text,
    raw_code text,
    raw_message text,
    held_by uuid,
    PRIMARY KEY (email_id, recipient, number),
    CHECK ((outcome IS NULL) = (held_by IS NOT NULL))
  ) WITH (fillfactor = 80);
  CREATE INDEX email_attempts_held ON email_attempts (held_by, email_id) WHERE held_by IS NOT NULL;

  -- Reports that were taken: one that comes again changes nothing.
  CREATE TABLE email_reports (
    report_id text PRIMARY KEY,
    email_id uuid NOT NULL,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX email_reports_received_at ON email_reports (received_at);
`;
