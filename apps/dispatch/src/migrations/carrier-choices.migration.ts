import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators decided about carrier accounts; an account without a row is active, preferred nowhere. */
export class CarrierChoices1795702000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE carrier_choices (
        id text PRIMARY KEY,
        state text NOT NULL CHECK (state IN ('active', 'drained')),
        preferred_in text[] NOT NULL
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
