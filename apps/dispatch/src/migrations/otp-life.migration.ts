import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS } from './functions.sql.js';

/** What an OTP needs to be sent again: its budget, its resends, and whose attempt is whose. */
export class OtpLife1795305600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE messages
        ADD COLUMN last_line text,
        ADD COLUMN resend_max smallint DEFAULT 0,
        -- Null for none, which is nearly all; written as a whole with its message.
        ADD COLUMN resends json;
      ALTER TABLE attempts ADD COLUMN resend smallint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN messages.code_cipher IS
        'AES-256-GCM; only while the code has to be, or can be, handed to a provider.';
    `);
    for (const statement of FUNCTIONS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
