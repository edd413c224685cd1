import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For carriers that report each part of an SMS. For other carriers `parts` is null.
 * - `parts` holds the carrier's ids of the parts, and those that are delivered.
 * - `attempt_parts` finds the message of a report that names a part alone.
 */
export class MessageParts1796600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE attempts ADD COLUMN parts json;
      CREATE TABLE attempt_parts (
        provider_message_id text NOT NULL,
        provider text NOT NULL,
        message_id uuid NOT NULL,
        PRIMARY KEY (provider_message_id, provider, message_id)
      );
      CREATE INDEX attempt_parts_of_message ON attempt_parts (message_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
