import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS } from './functions.sql.js';

/** The verdict on an SMS, written with it and never changed; null for what was not judged. */
export class AntiSpam1795392000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE messages ADD COLUMN antispam json');
    for (const statement of FUNCTIONS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
