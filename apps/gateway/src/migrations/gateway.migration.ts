import { createOutbox } from '@watchword/bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces, their keys, the operator's settings and audit, and the outbox. */
export class Gateway1763683200000 implements MigrationInterface {
  // TypeORM reads the name from the class, and bundlers change class names.
  readonly name = 'Gateway1763683200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        billing_country char(2) NOT NULL,
        -- Only what was changed; defaults are the program's.
        settings jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now()
      );

      CREATE TABLE gateway.api_keys (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL REFERENCES gateway.workspaces (id),
        -- SHA-256 of the token, which is shown once and kept nowhere.
        token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        mode text NOT NULL CHECK (mode IN ('live', 'test')),
        permission text NOT NULL CHECK (permission IN ('full', 'sending', 'otp', 'agent')),
        name text NOT NULL,
        prefix text NOT NULL,
        last4 text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
      );
      CREATE INDEX api_keys_of_workspace ON gateway.api_keys (workspace_id, id);

      CREATE TABLE gateway.platform_settings (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        settings jsonb NOT NULL DEFAULT '{}'
      );

      -- Written before an operator's call takes effect, completed after it.
      CREATE TABLE gateway.operator_audit (
        id uuid PRIMARY KEY,
        request_id text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        client_ip text NOT NULL,
        status integer,
        effect jsonb,
        started_at timestamptz NOT NULL DEFAULT now(),
        completed_at timestamptz
      );
      CREATE INDEX operator_audit_by_time ON gateway.operator_audit (started_at);
    `);
    await runner.query(createOutbox('gateway'));
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
