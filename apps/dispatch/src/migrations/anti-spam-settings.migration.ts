import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The workspace's anti-spam setting as the gateway last announced it, with the time of its event. Null: never
 * announced since this column exists.
 */
export class AntiSpamSettings1796800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE workspace_standings ADD COLUMN anti_spam json;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
