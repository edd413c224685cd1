import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How a workspace was created, suspension, invitations by operators, known devices, password resets
 * and protected sender names. See ADR 0023.
 */
export class AccountWalls1795359600000 implements MigrationInterface {
  readonly name = 'AccountWalls1795359600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WORKSPACES);
    await runner.query(ACCOUNTS);
    await runner.query(SENDER_NAMES);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const WORKSPACES = `
  ALTER TABLE gateway.workspaces
    ADD COLUMN origin text NOT NULL DEFAULT 'operator' CHECK (origin IN ('operator', 'sign_up')),
    -- Trial credits that the workspace gets once an operator confirms it.
    ADD COLUMN trial_credits_pending integer NOT NULL DEFAULT 0
      CHECK (trial_credits_pending >= 0),
    ADD COLUMN confirmed_at timestamptz,
    ADD COLUMN suspended_at timestamptz,
    ADD COLUMN suspension_reason text,
    ADD CONSTRAINT suspension_has_a_reason
      CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL));

  -- Sign-up creates the workspace and its first member in one transaction; nothing else does.
  UPDATE gateway.workspaces AS workspace SET origin = 'sign_up'
    WHERE EXISTS (SELECT FROM gateway.memberships AS membership
      WHERE membership.workspace_id = workspace.id
        AND membership.created_at = workspace.created_at);
`;

const ACCOUNTS = `
  -- An invitation by an operator names no workspace: it lets one address create its own.
  ALTER TABLE gateway.invitations
    ALTER COLUMN workspace_id DROP NOT NULL,
    ALTER COLUMN invited_by DROP NOT NULL,
    ADD CONSTRAINT members_invite_to_their_workspace
      CHECK ((workspace_id IS NULL) = (invited_by IS NULL));

  -- Browsers that logged in before. Each has its own limit on failures.
  CREATE TABLE gateway.devices (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES gateway.users (id),
    created_at timestamptz NOT NULL
  );
  CREATE INDEX devices_of_user ON gateway.devices (user_id, created_at);

  -- One open reset per user; a new one replaces it.
  CREATE TABLE gateway.password_resets (
    user_id uuid PRIMARY KEY REFERENCES gateway.users (id),
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    expires_at timestamptz NOT NULL
  );

  CREATE INDEX sessions_of_membership ON gateway.sessions (membership_id);
`;

const SENDER_NAMES = `
  CREATE TABLE gateway.protected_sender_ids (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    names text[] NOT NULL
  );

  CREATE TRIGGER announce AFTER INSERT OR UPDATE ON gateway.protected_sender_ids
    FOR EACH ROW EXECUTE FUNCTION gateway.announce_change('sender_names');
`;
