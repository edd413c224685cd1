import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of opens and clicks that a recipient has had, so that they end. */
const TOLD_HITS = `
  ALTER TABLE email_recipients
    ADD COLUMN opens_told smallint NOT NULL DEFAULT 0,
    ADD COLUMN clicks_told smallint NOT NULL DEFAULT 0;
`;

export class ToldHits1797000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TOLD_HITS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
