import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Emails to users: requests for one, and the tokens of confirmations. See ADR 0050. */
export class AccountEmails1795900000000 implements MigrationInterface {
  readonly name = 'AccountEmails1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.users ADD COLUMN email_confirmed_at timestamptz;

      -- True for the user whose sign-up created the workspace.
      ALTER TABLE gateway.memberships ADD COLUMN founded boolean NOT NULL DEFAULT false;
      UPDATE gateway.memberships AS membership SET founded = true
        FROM gateway.workspaces AS workspace
        WHERE workspace.id = membership.workspace_id AND workspace.origin = 'sign_up'
          AND workspace.created_at = membership.created_at;

      -- One open confirmation per user; a new one replaces it.
      CREATE TABLE gateway.email_confirmations (
        user_id uuid PRIMARY KEY REFERENCES gateway.users (id),
        token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        expires_at timestamptz NOT NULL
      );

      -- Emails that were asked for. A row goes in the transaction that writes the token and the command.
      CREATE TABLE gateway.email_requests (
        id uuid PRIMARY KEY,
        purpose text NOT NULL CHECK (purpose IN ('password_reset', 'email_confirmation')),
        -- As it was asked for; the address may have no account.
        email text NOT NULL,
        language text NOT NULL CHECK (language IN ('en', 'fr')),
        asked_at timestamptz NOT NULL,
        -- When a process looks at it next; moved ahead by the process that does.
        due_at timestamptz NOT NULL
      );
      CREATE INDEX email_requests_by_due ON gateway.email_requests (due_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
