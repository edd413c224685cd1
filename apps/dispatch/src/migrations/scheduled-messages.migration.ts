import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `scheduled_messages` holds the commands of messages that wait for their `send_at`. It is written with
 *   the message. The sweep deletes a row after its message is no longer `scheduled`.
 * - The credit price of acceptance stands on the message, so that a later price does not rewrite its cost.
 */
export class ScheduledMessages1795700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE messages
        ADD COLUMN send_at timestamptz,
        ADD COLUMN price_amount bigint,
        ADD COLUMN price_currency text;

      CREATE TABLE scheduled_messages (
        message_id uuid PRIMARY KEY,
        send_at timestamptz NOT NULL,
        command json NOT NULL
      );
      CREATE INDEX scheduled_messages_send_at ON scheduled_messages (send_at, message_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
