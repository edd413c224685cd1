import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The counters of the limits, as they were a moment ago. */
export class RateLimitSnapshot1763683260000 implements MigrationInterface {
  readonly name = 'RateLimitSnapshot1763683260000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.rate_limit_snapshot (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        windows text NOT NULL,
        taken_at timestamptz NOT NULL DEFAULT now()
      );
      -- Written every second and read once: not worth compressing.
      ALTER TABLE gateway.rate_limit_snapshot ALTER COLUMN windows SET STORAGE EXTERNAL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
