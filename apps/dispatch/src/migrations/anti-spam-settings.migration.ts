import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a workspace has flagged texts done, as the gateway announced it last: null where it changed nothing
 * since this column exists.
 */
export class AntiSpamSettings1796800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE workspace_standings ADD COLUMN anti_spam text;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
