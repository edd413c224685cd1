import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People, the workspaces they belong to, their sessions; and one audit for them and the operator. */
export class Accounts1763683320000 implements MigrationInterface {
  readonly name = 'Accounts1763683320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNTS);
    await runner.query(AUDIT);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const ACCOUNTS = `
  CREATE TABLE gateway.users (
    id uuid PRIMARY KEY,
    -- In lower case: nobody has two accounts that differ in capitals only.
    email text NOT NULL UNIQUE CHECK (email = lower(email)),
    name text NOT NULL,
    -- Argon2id, with its parameters and its salt.
    password_hash text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );

  CREATE TABLE gateway.memberships (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES gateway.workspaces (id),
    user_id uuid NOT NULL REFERENCES gateway.users (id),
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, workspace_id)
  );
  CREATE INDEX memberships_of_workspace ON gateway.memberships (workspace_id, id);

  CREATE TABLE gateway.sessions (
    -- SHA-256 of the token, which only the browser has.
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    membership_id uuid NOT NULL REFERENCES gateway.memberships (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX sessions_by_end ON gateway.sessions (expires_at);

  CREATE TABLE gateway.invitations (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    workspace_id uuid NOT NULL REFERENCES gateway.workspaces (id),
    email text NOT NULL CHECK (email = lower(email)),
    role text NOT NULL CHECK (role IN ('owner', 'member')),
    invited_by uuid NOT NULL REFERENCES gateway.users (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    accepted_at timestamptz
  );
`;

const AUDIT = `
  ALTER TABLE gateway.operator_audit RENAME TO audit_records;
  ALTER INDEX gateway.operator_audit_by_time RENAME TO audit_records_by_time;
  ALTER TABLE gateway.audit_records
    ADD COLUMN actor text NOT NULL DEFAULT 'operator' CHECK (actor IN ('operator', 'user')),
    ADD COLUMN user_id uuid REFERENCES gateway.users (id),
    -- Whom it concerned; null for what concerned everybody or nobody.
    ADD COLUMN workspace_id uuid,
    ADD CONSTRAINT user_is_named CHECK ((actor = 'user') = (user_id IS NOT NULL));
  UPDATE gateway.audit_records SET workspace_id = (effect ->> 'workspace_id')::uuid
    WHERE effect ->> 'workspace_id' IS NOT NULL;
  CREATE INDEX audit_records_of_workspace ON gateway.audit_records (workspace_id, id)
    WHERE workspace_id IS NOT NULL;
`;
