import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For lists of a workspace's messages, newest first. None of its columns ever changes. */
export class MessageList1795219260000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX messages_of_workspace ON messages (workspace_id, created_at, id)',
    );
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
