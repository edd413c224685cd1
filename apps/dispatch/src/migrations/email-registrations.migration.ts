import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `email_domains`: domains that workspaces send email from. `private_key` is encrypted. A row whose
 *   `next_check_at` has passed is looked up again.
 * - `email_suppressions`: addresses that a workspace does not send to, in lower case, one row for each scope.
 */
export class EmailRegistrations1795703000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE email_domains (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        name text NOT NULL,
        selector text NOT NULL,
        public_key text NOT NULL,
        private_key bytea NOT NULL,
        status text NOT NULL
          CHECK (status IN ('pending', 'verified', 'temporary_failure', 'failed')),
        record_states jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        verified_at timestamptz,
        last_checked_at timestamptz,
        failing_since timestamptz,
        next_check_at timestamptz,
        UNIQUE (workspace_id, name)
      );
      CREATE INDEX email_domains_of_workspace ON email_domains (workspace_id, id DESC);
      CREATE INDEX email_domains_to_check ON email_domains (next_check_at)
        WHERE next_check_at IS NOT NULL;

      CREATE TABLE email_suppressions (
        id uuid PRIMARY KEY,
        workspace_id uuid NOT NULL,
        address text NOT NULL,
        scope text NOT NULL CHECK (scope IN ('all', 'marketing')),
        origin text NOT NULL CHECK (origin IN ('manual', 'bounce', 'complaint', 'unsubscribe')),
        created_at timestamptz NOT NULL,
        UNIQUE (workspace_id, address, scope)
      );
      CREATE INDEX email_suppressions_of_workspace
        ON email_suppressions (workspace_id, created_at DESC, id DESC);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
