import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who are operators of the platform. See ADR 87. */
export class OperatorUsers1796900000000 implements MigrationInterface {
  readonly name = 'OperatorUsers1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.users ADD COLUMN operator_since timestamptz;

      -- An operator's call has the user of its session, and null where it came by the token. The constraint before was
      -- stricter, so no row needs a check.
      ALTER TABLE gateway.audit_records DROP CONSTRAINT user_is_named;
      ALTER TABLE gateway.audit_records
        ADD CONSTRAINT user_is_named CHECK (actor <> 'user' OR user_id IS NOT NULL) NOT VALID;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
