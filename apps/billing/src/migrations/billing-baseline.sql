-- The tables of billing. Functions that can be replaced stand in `.sql` files beside their callers.

CREATE TABLE billing.accounts (
  workspace_id uuid PRIMARY KEY,
  balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  purchased_credits bigint NOT NULL DEFAULT 0 CHECK (purchased_credits >= 0),
  entry_count bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  -- From which balance on the workspace wants a notification; null is never. Announced by `accept_messages`.
  low_balance_threshold bigint,
  -- A plan is a monthly quota; null is no plan, and then nothing is looked up.
  sms_segments_per_month bigint CHECK (sms_segments_per_month >= 0),
  emails_per_month bigint CHECK (emails_per_month >= 0),
  -- What reversals took back and the wallet did not have. Later purchases pay it.
  debt bigint NOT NULL DEFAULT 0 CHECK (debt >= 0),
  suspended boolean NOT NULL DEFAULT false,
  -- JSON carries whole numbers exactly up to 2^53 - 1.
  CONSTRAINT balance_is_exact_in_json CHECK (balance <= 9007199254740991)
) WITH (fillfactor = 50);

REVOKE DELETE, TRUNCATE ON billing.accounts FROM watchword_billing;

-- One entry is one transfer between the wallet of a workspace and the counter account it names: both sides of the
-- double entry in one row, so they can never disagree. `credits` is signed as the wallet sees it. `ordinal` counts the
-- entries of a workspace without gaps, and `balance_after` is the balance of the entry before plus `credits`: a missing
-- or altered row breaks the chain visibly.
--
-- Entries have no foreign key to accounts: every insert joins the account's locked row, and a key check for each entry
-- would cost as much as the entry.
CREATE TABLE billing.entries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  ordinal bigint NOT NULL,
  kind text NOT NULL,
  top_up_kind text CHECK (top_up_kind IN ('trial', 'purchase', 'bonus', 'adjustment')),
  counter_account text NOT NULL GENERATED ALWAYS AS (
    CASE top_up_kind
      WHEN 'trial' THEN 'trials'
      WHEN 'purchase' THEN 'purchases'
      WHEN 'bonus' THEN 'bonuses'
      WHEN 'adjustment' THEN 'adjustments'
      ELSE 'usage'
    END
  ) STORED,
  credits bigint NOT NULL,
  balance_after bigint NOT NULL CHECK (balance_after >= 0),
  message_id uuid,
  price_rule text,
  -- Of charges, for statements; emails have no country.
  channel text,
  country_code text,
  note text,
  created_at timestamptz NOT NULL,
  -- What the entry took of a grant, or gave back to it, in `grant_unit`.
  granted_segments bigint NOT NULL DEFAULT 0,
  grant_month date,
  grant_unit text CHECK (grant_unit IN ('sms_segment', 'email')),
  key_id uuid,
  payment_id uuid,
  -- `purchased_credits` of an account is the sum of its purchases less `reversed_credits`, and `debt` is the sum of
  -- `debt_change`.
  reversed_credits bigint CHECK (reversed_credits > 0),
  debt_change bigint,
  UNIQUE (workspace_id, ordinal),
  -- A message has at most one charge and one refund.
  UNIQUE (message_id, kind),
  CONSTRAINT entry_has_the_shape_of_its_kind CHECK (
    CASE kind
      WHEN 'charge' THEN credits <= 0 AND message_id IS NOT NULL AND top_up_kind IS NULL
      WHEN 'refund' THEN credits >= 0 AND message_id IS NOT NULL AND top_up_kind IS NULL
      WHEN 'top_up' THEN top_up_kind IS NOT NULL AND message_id IS NULL
        AND (credits >= 0 OR top_up_kind = 'adjustment')
      ELSE false
    END
  ),
  CONSTRAINT entry_names_its_grant CHECK (
    CASE WHEN granted_segments = 0 THEN grant_month IS NULL
      ELSE granted_segments > 0 AND grant_month IS NOT NULL AND kind IN ('charge', 'refund')
    END
  )
);

-- Refunds and top-ups are few among charges; lists of them must not wade through the charges.
CREATE INDEX entries_other_than_charges ON billing.entries (workspace_id, kind, ordinal)
  WHERE kind <> 'charge';
CREATE UNIQUE INDEX purchase_of_payment ON billing.entries (payment_id)
  WHERE payment_id IS NOT NULL AND top_up_kind = 'purchase';

CREATE FUNCTION billing.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed; write a correcting entry';
END $$;

CREATE TRIGGER entries_are_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON billing.entries
  FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();

REVOKE UPDATE, DELETE, TRUNCATE ON billing.entries FROM watchword_billing;

-- The grant of a month is made from the plan when first something is taken, so a missing one is whole. `used` is the
-- sum of what entries took. Everybody who changes a grant holds the account.
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

-- What `pay_next` carries from one send of a batch to the next.
CREATE TYPE billing.purse AS (
  -- Left after the send.
  credits bigint,
  sms_segments bigint,
  emails bigint,
  -- Credits before the send, units that the grant covers, credits that the wallet owes.
  available bigint,
  covered bigint,
  due bigint,
  -- Sends that each window of the batch still admits, and the window that refused this send.
  places bigint[],
  full_window integer
);

-- Windows of live sends to a number or a prefix. A window begins with the first accepted send. `id` is a hash of what it
-- counts. The windows of a workspace change only under the lock of its account. The purge reads the whole table, because
-- an index of ends would cost every send.
CREATE TABLE billing.send_windows (
  id uuid PRIMARY KEY,
  sends bigint NOT NULL,
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE billing.acceptances (
  message_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  test_mode boolean NOT NULL,
  credits bigint NOT NULL,
  command text NOT NULL,
  created_at timestamptz NOT NULL,
  key_id uuid,
  -- A test message whose refund was counted in `key_spending`: test mode has no entries.
  budget_returned boolean NOT NULL DEFAULT false
);

-- Binds a key to its effect: the message it was accepted as, the entry of a top-up, the batch or the payment. Keys count
-- for 24 hours from `created_at`; an older row is overwritten by the next claim, whether or not the purge has been by.
CREATE TABLE billing.idempotency_keys (
  workspace_id uuid NOT NULL,
  scope text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  message_id uuid,
  entry_id uuid,
  created_at timestamptz NOT NULL,
  batch_id uuid,
  payment_id uuid,
  PRIMARY KEY (workspace_id, scope, key),
  CONSTRAINT key_has_one_effect CHECK (num_nonnulls(message_id, entry_id, batch_id, payment_id) = 1)
);
CREATE INDEX idempotency_keys_by_age ON billing.idempotency_keys (created_at);

-- The answer that a batch's idempotency key replays. An accepted item is its message id.
CREATE TABLE billing.batches (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  answer text NOT NULL,
  created_at timestamptz NOT NULL
);

-- What a key with a daily budget has spent: the charges of the UTC day less its refunds. Test mode counts apart.
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

-- A quote is a price per segment that one send can have within a minute. `used_by` is written in the transaction that
-- accepts that send. Ids begin with their time, so the oldest are found by key when they are forgotten. The idempotency
-- key stands here with what it answered: a retry gets the same quote, even when prices or the balance have changed.
CREATE TABLE billing.quotes (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  test_mode boolean NOT NULL,
  kind text NOT NULL,
  destination text NOT NULL,
  credits_per_segment bigint NOT NULL,
  price_rule text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_by uuid,
  idempotency_scope text COLLATE "C",
  idempotency_key text COLLATE "C",
  fingerprint text,
  answer text
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX quotes_by_key ON billing.quotes (workspace_id, idempotency_scope, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- Every version ever in force stays, so that the price rule of an old charge can be explained.
CREATE TABLE billing.price_lists (
  version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  list jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Applies until an operator replaces it. One credit costs 100 kobo.
INSERT INTO billing.price_lists (list) VALUES ('{
  "credit_price": { "amount": 100, "currency": "NGN" },
  "default_credits": 120,
  "countries": {
    "NG": { "credits": 5, "listed": true, "networks": [] },
    "KE": { "credits": 12, "listed": true, "networks": [] },
    "ZA": { "credits": 20, "listed": true, "networks": [] },
    "GH": { "credits": 30, "listed": true, "networks": [] },
    "GB": { "credits": 45, "listed": true, "networks": [] },
    "CI": { "credits": 60, "listed": true, "networks": [] },
    "BJ": { "credits": 70, "listed": true, "networks": [] },
    "US": { "credits": 100, "listed": true, "networks": [] }
  }
}');

-- A payment is one purchase. `due_at` is when it is looked at next: asked for, or charged, if it is automatic. Null
-- means that nothing is due. `attempt` counts checkout pages, or charges of an automatic top-up. `held` is what a
-- provider reported and does not fit; nothing was entered for it.
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
  -- Who created it. Null for an automatic top-up.
  user_id uuid,
  UNIQUE (provider, provider_payment_id),
  CONSTRAINT nothing_beyond_the_purchase_is_reversed
    CHECK (reversed_credits <= credits AND refunded_amount <= amount)
);
CREATE INDEX payments_of_workspace ON billing.payments (workspace_id, id);
CREATE INDEX payments_due ON billing.payments (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX payments_held ON billing.payments (id) WHERE held IS NOT NULL;
CREATE INDEX payments_pending ON billing.payments (workspace_id) WHERE status = 'pending';
-- At most one automatic payment of a workspace is in flight.
CREATE UNIQUE INDEX automatic_payment_in_flight ON billing.payments (workspace_id)
  WHERE automatic AND status = 'pending';

-- Refunds and disputes. One entry takes back what the wallet still has; the rest is the debt of the account.
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

-- A saved authorisation belongs to the person who saved it. `agreed_*` is what that person last agreed to; null until
-- they turn automatic top-ups on.
CREATE TABLE billing.payment_authorisations (
  workspace_id uuid PRIMARY KEY,
  provider text COLLATE "C" NOT NULL,
  payer_email text NOT NULL,
  -- Encrypted.
  authorisation bytea NOT NULL,
  saved_at timestamptz NOT NULL,
  saved_by uuid,
  agreed_threshold bigint,
  agreed_credits bigint,
  agreed_monthly_cap_credits bigint
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

-- Of the secrets that the data was written with.
CREATE TABLE billing.secret_fingerprints (
  name text NOT NULL,
  fingerprint text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, fingerprint)
);
