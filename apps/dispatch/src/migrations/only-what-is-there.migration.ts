import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS } from './functions.sql.js';

/** The writes of messages start no plan for attempts, events or keys that a batch does not bring. */
export class OnlyWhatIsThere1795403000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of FUNCTIONS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
