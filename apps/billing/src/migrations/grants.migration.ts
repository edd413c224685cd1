import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acceptSends } from './accept-sends.sql.js';
import { refundMessages } from './refund-messages.sql.js';

/**
 * A plan is a monthly quota; null is no plan, and then nothing is looked up. The grant of a month
 * is made from it when first something is taken, so a missing one is whole. What an entry took of
 * a grant, or gave back to it, stands on the entry: `used` is the sum of that. Everybody who
 * changes a grant holds the account.
 */
const GRANTS = `
  ALTER TABLE billing.accounts
    ADD COLUMN sms_segments_per_month bigint CHECK (sms_segments_per_month >= 0),
    ADD COLUMN emails_per_month bigint CHECK (emails_per_month >= 0);

  CREATE TABLE billing.grants (
    workspace_id uuid NOT NULL,
    unit text COLLATE "C" NOT NULL CHECK (unit IN ('sms_segment', 'email')),
    -- The first day of the month, in UTC.
    month date NOT NULL,
    granted bigint NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, unit, month),
    CONSTRAINT grant_is_not_overdrawn CHECK (used >= 0 AND used <= granted)
  ) WITH (fillfactor = 80);

  ALTER TABLE billing.entries
    ADD COLUMN granted_segments bigint NOT NULL DEFAULT 0,
    ADD COLUMN grant_month date;

  -- Entries from before have neither, so there is nothing to read through.
  ALTER TABLE billing.entries ADD CONSTRAINT entry_names_its_grant CHECK (
    CASE WHEN granted_segments = 0 THEN grant_month IS NULL
      ELSE granted_segments > 0 AND grant_month IS NOT NULL AND kind IN ('charge', 'refund')
    END
  ) NOT VALID;
`;

/** The acceptance transaction without grants; only databases of that time have it. */
const DROP_FORMER = `
  DROP FUNCTION IF EXISTS billing.accept_sends(
    uuid[], uuid[], uuid[], boolean[], bigint[], text[], text[], text[], text[], text[], text[],
    uuid[], timestamptz, text, text
  );
  DROP AGGREGATE IF EXISTS billing.left_after_spending(bigint, bigint);
  DROP FUNCTION IF EXISTS billing.spend(bigint, bigint, bigint);
`;

export class Grants1795464000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(GRANTS);
    await runner.query(DROP_FORMER);
    await runner.query(acceptSends);
    await runner.query(refundMessages);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
