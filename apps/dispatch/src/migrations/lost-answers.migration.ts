import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `attempts_ambiguous` finds submits whose answer was lost, which a receipt may settle.
 * - `messages_sms_of_destination` finds the last message to a handset that answers STOP or START.
 */
export class LostAnswers1795700060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX attempts_ambiguous ON attempts (started_at) WHERE outcome = 'ambiguous';
      CREATE INDEX messages_sms_of_destination ON messages (destination, id)
        WHERE kind = 'sms' AND NOT test_mode;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
