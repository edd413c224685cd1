import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Emails that tell owners that a saved card was deleted. */
export class SavedCardNotices1797000000000 implements MigrationInterface {
  readonly name = 'SavedCardNotices1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE gateway.email_requests
        DROP CONSTRAINT email_requests_purpose_check,
        ADD CONSTRAINT email_requests_purpose_check
          CHECK (purpose IN ('password_reset', 'email_confirmation', 'saved_card_deleted'));
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
