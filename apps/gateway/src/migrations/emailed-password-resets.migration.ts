import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resets sent by email stand beside the one that an operator hands out. See ADR 0050. */
export class EmailedPasswordResets1795910000000 implements MigrationInterface {
  readonly name = 'EmailedPasswordResets1795910000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- At most three living ones per user; a new one replaces none.
      CREATE TABLE gateway.emailed_password_resets (
        token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
        user_id uuid NOT NULL REFERENCES gateway.users (id),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX emailed_password_resets_of_user ON gateway.emailed_password_resets (user_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
