import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - A payment is one purchase. `due_at` is when the payment is looked at next: asked for, or charged, if it is automatic.
 *   Null means that nothing is due. `attempt` counts checkout pages, or charges of an automatic top-up.
 * - `held` is what a provider reported and does not fit; nothing was entered for it.
 * - Reversals are refunds and disputes. One entry takes back what the wallet still has; the rest is the `debt` of the
 *   account, which later purchases pay. Entries explain both: `purchased_credits` of an account is the sum of its
 *   purchases less `reversed_credits`, and `debt` is the sum of `debt_change`.
 * - At most one automatic payment of a workspace is in flight.
 */
const PAYMENTS = `
  ALTER TABLE billing.accounts ADD COLUMN debt bigint NOT NULL DEFAULT 0 CHECK (debt >= 0);

  ALTER TABLE billing.entries
    ADD COLUMN payment_id uuid,
    ADD COLUMN reversed_credits bigint CHECK (reversed_credits > 0),
    ADD COLUMN debt_change bigint;

  CREATE TABLE billing.payments (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    provider text COLLATE "C" NOT NULL CHECK (provider IN ('manual', 'stripe', 'paystack')),
    credits bigint NOT NULL CHECK (credits > 0),
    amount bigint NOT NULL CHECK (amount >= 0),
    currency text COLLATE "C" NOT NULL,
    payer_email text NOT NULL,
    status text COLLATE "C" NOT NULL CHECK (
      status IN ('pending', 'paid', 'failed', 'expired', 'refunded', 'disputed')
    ),
    automatic boolean NOT NULL,
    save_authorisation boolean NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    -- An automatic charge was begun and its outcome is not recorded.
    charging boolean NOT NULL DEFAULT false,
    asked integer NOT NULL DEFAULT 0,
    due_at timestamptz,
    checkout_url text,
    -- The provider's id of the checkout page.
    provider_reference text COLLATE "C",
    provider_payment_id text COLLATE "C",
    refunded_amount bigint NOT NULL DEFAULT 0,
    reversed_credits bigint NOT NULL DEFAULT 0,
    failure text,
    held text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    paid_at timestamptz,
    UNIQUE (provider, provider_payment_id),
    CONSTRAINT nothing_beyond_the_purchase_is_reversed
      CHECK (reversed_credits <= credits AND refunded_amount <= amount)
  );

  CREATE INDEX payments_of_workspace ON billing.payments (workspace_id, id);
  CREATE INDEX payments_due ON billing.payments (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX payments_held ON billing.payments (id) WHERE held IS NOT NULL;
  CREATE UNIQUE INDEX automatic_payment_in_flight ON billing.payments (workspace_id)
    WHERE automatic AND status = 'pending';

  CREATE UNIQUE INDEX purchase_of_payment ON billing.entries (payment_id)
    WHERE payment_id IS NOT NULL AND top_up_kind = 'purchase';

  CREATE TABLE billing.payment_reversals (
    payment_id uuid NOT NULL REFERENCES billing.payments,
    -- The provider's id of the refund or dispute.
    provider_reversal_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('refunded', 'disputed')),
    amount bigint NOT NULL,
    credits bigint NOT NULL,
    entry_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (payment_id, provider_reversal_id)
  );

  CREATE TABLE billing.payment_authorisations (
    workspace_id uuid PRIMARY KEY,
    provider text COLLATE "C" NOT NULL,
    payer_email text NOT NULL,
    -- Encrypted.
    authorisation bytea NOT NULL,
    saved_at timestamptz NOT NULL
  );

  CREATE TABLE billing.automatic_top_ups (
    workspace_id uuid PRIMARY KEY,
    enabled boolean NOT NULL,
    threshold bigint NOT NULL,
    credits bigint NOT NULL,
    monthly_cap_credits bigint NOT NULL,
    disabled_reason text,
    updated_at timestamptz NOT NULL
  );

  CREATE INDEX enabled_top_ups ON billing.automatic_top_ups (workspace_id) WHERE enabled;

  ALTER TABLE billing.idempotency_keys
    ADD COLUMN payment_id uuid,
    DROP CONSTRAINT key_has_one_effect,
    ADD CONSTRAINT key_has_one_effect
      CHECK (num_nonnulls(message_id, entry_id, batch_id, payment_id) = 1) NOT VALID;
`;

export class Payments1795712000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PAYMENTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
