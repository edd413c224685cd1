import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A saved authorisation belongs to the person who saved it. Nobody knows whose the older ones are, so they
 * are deleted. `agreed_*` is what that person last agreed to; null until they turn automatic top-ups on.
 */
const SAVED_CARDS = `
  ALTER TABLE billing.accounts ADD COLUMN suspended boolean NOT NULL DEFAULT false;

  -- Who created it. Null for an automatic top-up.
  ALTER TABLE billing.payments ADD COLUMN user_id uuid;
  UPDATE billing.payments SET save_authorisation = false WHERE save_authorisation AND status = 'pending';
  UPDATE billing.payments SET status = 'failed', failure = 'switched_off', due_at = NULL, updated_at = now()
    WHERE automatic AND status = 'pending' AND NOT charging;
  UPDATE billing.payments SET due_at = created_at + interval '7 days'
    WHERE provider = 'manual' AND status = 'pending' AND held IS NULL;
  CREATE INDEX payments_pending ON billing.payments (workspace_id) WHERE status = 'pending';

  DELETE FROM billing.payment_authorisations;
  UPDATE billing.automatic_top_ups
    SET enabled = false, disabled_reason = 'authorisation_deleted', updated_at = now() WHERE enabled;
  ALTER TABLE billing.payment_authorisations
    -- Null where the release before saved it meanwhile: it pays for nothing.
    ADD COLUMN saved_by uuid,
    ADD COLUMN agreed_threshold bigint,
    ADD COLUMN agreed_credits bigint,
    ADD COLUMN agreed_monthly_cap_credits bigint;
`;

export class SavedCards1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SAVED_CARDS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
