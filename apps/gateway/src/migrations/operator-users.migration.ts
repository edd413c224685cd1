import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who are operators of the platform. See ADR 87. */
export class OperatorUsers1796900000000 implements MigrationInterface {
  readonly name = 'OperatorUsers1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.users ADD COLUMN operator_since timestamptz;

      -- A call of an operator names the user when it came by a session, and nobody when it came by the token.
      ALTER TABLE gateway.audit_records DROP CONSTRAINT user_is_named;
      ALTER TABLE gateway.audit_records
        ADD CONSTRAINT user_is_named CHECK (actor <> 'user' OR user_id IS NOT NULL);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
