import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The text of an SMS is deleted after a while, so the check that an SMS has one goes. The commands of messages,
 * which are checked at the edge, always carry a text.
 */
export class ContentRetention1795820000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DO $$
      DECLARE
        name text;
      BEGIN
        FOR name IN
          SELECT conname FROM pg_constraint
          WHERE conrelid = 'messages'::regclass AND contype = 'c'
            AND pg_get_constraintdef(oid) LIKE '%body IS NOT NULL%'
        LOOP
          EXECUTE format('ALTER TABLE messages DROP CONSTRAINT %I', name);
        END LOOP;
      END $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
