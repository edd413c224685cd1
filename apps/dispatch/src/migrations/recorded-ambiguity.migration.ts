import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS } from './functions.sql.js';

/** A receipt can prove later that a carrier took what it never answered; that it was unknown stays on record. */
export class RecordedAmbiguity1795395600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE attempts ADD COLUMN was_ambiguous boolean NOT NULL DEFAULT false',
    );
    await queryRunner.query("UPDATE attempts SET was_ambiguous = true WHERE outcome = 'ambiguous'");
    for (const statement of FUNCTIONS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
