import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys name the user who made them. */
export class KeyMakers1797110000000 implements MigrationInterface {
  readonly name = 'KeyMakers1797110000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null for keys of operators.
      ALTER TABLE gateway.api_keys ADD COLUMN created_by uuid REFERENCES gateway.users (id);

      UPDATE gateway.api_keys AS key SET created_by = record.user_id
        FROM gateway.audit_records AS record
        WHERE record.path = '/dashboard/keys' AND record.status = 201
          AND record.effect ->> 'key_id' = key.id::text;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
