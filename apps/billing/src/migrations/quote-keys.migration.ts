import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The key and the fingerprint of a quote stand on its row, with what it answered: a retry gets the
 * same quote, even when prices or the balance have changed.
 */
const QUOTE_KEYS = `
  ALTER TABLE billing.quotes
    ADD COLUMN idempotency_scope text COLLATE "C",
    ADD COLUMN idempotency_key text COLLATE "C",
    ADD COLUMN fingerprint text,
    ADD COLUMN answer text;

  CREATE UNIQUE INDEX quotes_by_key
    ON billing.quotes (workspace_id, idempotency_scope, idempotency_key)
    WHERE idempotency_key IS NOT NULL
`;

export class QuoteKeys1795456800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(QUOTE_KEYS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
