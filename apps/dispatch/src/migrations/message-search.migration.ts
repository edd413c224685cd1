import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For operators who look for the messages to a number. It also finds the last live SMS to a handset, so the
 * narrower index `messages_sms_of_destination` goes. None of its columns ever changes.
 */
export class MessageSearch1795701000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX messages_of_destination ON messages (destination, test_mode, id);
      DROP INDEX messages_sms_of_destination;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
