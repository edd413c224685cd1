import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `batches` keeps the answer that a batch's idempotency key replays. An accepted item is its message id.
 * - A grant may be of emails, so an entry names the unit; entries without it took SMS segments.
 * - `key_spending` is what a key with a daily budget has spent: the charges of the UTC day less its refunds. Test mode
 *   counts apart, and has no entries: `budget_returned` marks a test message whose refund was counted.
 * - JSON carries whole numbers exactly up to 2^53 - 1.
 */
const BATCHES_AND_BUDGETS = `
  CREATE TYPE billing.purse AS (
    -- Left after the send.
    credits bigint,
    sms_segments bigint,
    emails bigint,
    -- Credits before the send, units that the grant covers, credits that the wallet owes.
    available bigint,
    covered bigint,
    due bigint
  );

  CREATE TABLE billing.batches (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    answer text NOT NULL,
    created_at timestamptz NOT NULL
  );

  ALTER TABLE billing.idempotency_keys
    ADD COLUMN batch_id uuid,
    DROP CONSTRAINT key_has_one_effect,
    ADD CONSTRAINT key_has_one_effect
      CHECK (num_nonnulls(message_id, entry_id, batch_id) = 1) NOT VALID;

  ALTER TABLE billing.entries
    ADD COLUMN grant_unit text CHECK (grant_unit IN ('sms_segment', 'email')),
    ADD COLUMN key_id uuid;

  ALTER TABLE billing.acceptances
    ADD COLUMN key_id uuid,
    ADD COLUMN budget_returned boolean NOT NULL DEFAULT false;

  CREATE TABLE billing.key_spending (
    workspace_id uuid NOT NULL,
    key_id uuid NOT NULL,
    test_mode boolean NOT NULL,
    -- In UTC.
    day date NOT NULL,
    credits bigint NOT NULL,
    PRIMARY KEY (key_id, test_mode, day)
  ) WITH (fillfactor = 50);

  CREATE INDEX key_spending_by_day ON billing.key_spending (day);

  ALTER TABLE billing.accounts
    ADD CONSTRAINT balance_is_exact_in_json CHECK (balance <= 9007199254740991) NOT VALID;
`;

export class BatchesAndBudgets1795481000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BATCHES_AND_BUDGETS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
