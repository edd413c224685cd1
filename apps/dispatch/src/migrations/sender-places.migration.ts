import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a country stands in the request; 0 where an earlier release recorded it. */
export class SenderPlaces1796100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sender_reviews ADD COLUMN place smallint NOT NULL DEFAULT 0');
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
