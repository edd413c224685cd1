import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `sender_rules` holds the countries' rules of senders once an operator has replaced the default ones.
 * - A message keeps its category; null is transactional.
 * - The workspace's setting of quiet hours as the gateway last announced it, with the time of its event.
 */
export class SenderRules1796900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE sender_rules (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        rules json NOT NULL
      );
      ALTER TABLE messages ADD COLUMN category text;
      ALTER TABLE workspace_standings ADD COLUMN quiet_hours json;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
