import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `attempts.sender_id` becomes `held_by`, over two releases. This one writes both columns and reads `sender_id`, so
 * that processes of the release before, and a rollback to it, lose no attempt. The next one fills `held_by` again
 * where only `sender_id` was written, reads `held_by`, moves the index, and drops `sender_id`.
 */
export class HeldBy1795810000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE attempts ADD COLUMN held_by uuid;
      UPDATE attempts SET held_by = sender_id WHERE sender_id IS NOT NULL;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
