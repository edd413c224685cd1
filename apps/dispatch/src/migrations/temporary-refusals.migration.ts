import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null where the attempt was not refused, or a release that did not ask recorded it. */
export class TemporaryRefusals1795910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE email_attempts ADD COLUMN is_temporary boolean');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
