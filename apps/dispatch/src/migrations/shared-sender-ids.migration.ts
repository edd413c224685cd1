import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sender IDs that need no registration, as the gateway announced them last: null where the workspace does not
 * enforce registered ones, or changed nothing since this column exists.
 */
export class SharedSenderIds1796500000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE workspace_standings ADD COLUMN shared_sender_ids json;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
