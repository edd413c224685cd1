/**
 * One entry is one transfer between the wallet of a workspace and the counter account it names:
 * both sides of the double entry in one row, so they can never disagree. `credits` is signed as the
 * wallet sees it. `ordinal` counts the entries of a workspace without gaps, and `balance_after` is
 * the balance of the entry before plus `credits`: a missing or altered row breaks the chain
 * visibly.
 *
 * Entries have no foreign key to accounts: every insert joins the account's locked row, and a key
 * check per entry would cost as much as the entry.
 */
export const ledgerTables = (role: string): string => `
  CREATE TABLE billing.accounts (
    workspace_id uuid PRIMARY KEY,
    balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
    purchased_credits bigint NOT NULL DEFAULT 0 CHECK (purchased_credits >= 0),
    entry_count bigint NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);

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
    note text,
    created_at timestamptz NOT NULL,
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
    )
  );

  -- Refunds and top-ups are few among charges; lists of them must not wade through the charges.
  CREATE INDEX entries_other_than_charges ON billing.entries (workspace_id, kind, ordinal)
    WHERE kind <> 'charge';

  CREATE FUNCTION billing.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'ledger entries are never changed; write a correcting entry';
  END $$;

  CREATE TRIGGER entries_are_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON billing.entries
    FOR EACH STATEMENT EXECUTE FUNCTION billing.refuse_change();

  REVOKE UPDATE, DELETE, TRUNCATE ON billing.entries FROM ${role};
  REVOKE DELETE, TRUNCATE ON billing.accounts FROM ${role};
`;

/**
 * `idempotency_keys` binds a key to its effect: the message it was accepted as, or the entry of a
 * top-up. Keys count for 24 hours from `created_at`; an older row is overwritten by the next claim,
 * whether or not the purge has been by.
 */
export const acceptanceTables = `
  CREATE TABLE billing.acceptances (
    message_id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    test_mode boolean NOT NULL,
    credits bigint NOT NULL,
    command text NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE TABLE billing.idempotency_keys (
    workspace_id uuid NOT NULL,
    scope text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    message_id uuid,
    entry_id uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, scope, key),
    CONSTRAINT key_has_one_effect CHECK (num_nonnulls(message_id, entry_id) = 1)
  );

  CREATE INDEX idempotency_keys_by_age ON billing.idempotency_keys (created_at);
`;

/** Every version ever in force stays, so that the price rule of an old charge can be explained. */
export const priceTables = `
  CREATE TABLE billing.price_lists (
    version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    list jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
`;
