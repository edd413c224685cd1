import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A quote is a price per segment that one send can have within a minute. `used_by` is written in
 * the transaction that accepts that send. Ids begin with their time, so the oldest are found by
 * key when they are forgotten.
 */
const QUOTES = `
  CREATE TABLE billing.quotes (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    test_mode boolean NOT NULL,
    kind text NOT NULL,
    destination text NOT NULL,
    credits_per_segment bigint NOT NULL,
    price_rule text NOT NULL,
    expires_at timestamptz NOT NULL,
    used_by uuid
  ) WITH (fillfactor = 80)
`;

export class Quotes1795392000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(QUOTES);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
