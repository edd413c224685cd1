/** As released with 0.1.0, and called by its replicas only. Frozen, with every constant that it names. */
const IDEMPOTENCY_KEY_HOURS = 24;
const COMMAND_BEGINNING = '{"credits":';
const CREDIT_EVENTS = 'svc.credit-events.v1';
const PLANNED_ONCE_BY_KEY = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
`;

/** A replay owes nothing, too: the first request of the key has paid. */
const OWES_NOTHING = 'test_mode OR known_fingerprint IS NOT NULL OR misquoted';

/** How the statement speaks of grants. */
interface Fragments {
  granted: string;
  left: string;
  segments: string;
  coverage: string;
  join: string;
  /** The command, with the credits that were taken. */
  command: string;
  booking: string;
}

const GRANTS: Fragments = {
  granted: 'coalesce(this_grant.granted, account.sms_segments_per_month, 0)',
  left: `coalesce(this_grant.granted - this_grant.used, account.sms_segments_per_month, 0)`,
  segments: 'coalesce(grantable[item.ordinal], 0)',
  coverage: 'least(coverable, lag(segments_after, 1, segments_left) OVER wallet)',
  // `OFFSET 0` keeps it a look-up by the whole key; one for null, without a plan, finds nothing.
  join: `LEFT JOIN LATERAL (
        SELECT granted, used FROM billing.grants
        WHERE workspace_id =
            CASE WHEN account.sms_segments_per_month IS NOT NULL THEN item.workspace_id END
          AND unit = 'sms_segment' AND month = this_month
        OFFSET 0
      ) AS this_grant ON true`,
  command: `CASE WHEN saved = 0 THEN commands[ordinal] ELSE
        '${COMMAND_BEGINNING}' || taken
          || substr(commands[ordinal], length('${COMMAND_BEGINNING}' || cost) + 1)
      END`,
  booking: `), granted AS (
      INSERT INTO billing.grants AS known (workspace_id, unit, month, granted, used)
      SELECT workspace_id, 'sms_segment', this_month, max(granted), sum(coverage)
      FROM judged WHERE verdict = 'accepted' AND coverage > 0 GROUP BY workspace_id
      ON CONFLICT (workspace_id, unit, month) DO UPDATE SET used = known.used + excluded.used
    `,
};

/** Where nobody has a plan, nothing of this is left when the statement is planned. */
const NO_GRANTS: Fragments = {
  granted: '0::bigint',
  left: '0::bigint',
  segments: '0::bigint',
  coverage: '0::bigint',
  join: '',
  command: 'commands[ordinal]',
  booking: '',
};

/** A verdict for every item. `least` takes no heed of nulls, so nothing of grants is ever null. */
const judge = (grants: Fragments) => `
    WITH item AS (
      SELECT item.*, account.balance, account.entry_count, account.low_balance_threshold,
        ${grants.granted} AS granted, ${grants.left} AS segments_left, ${grants.segments} AS segments,
        known.message_id AS known_message_id,
        CASE WHEN known.created_at > accepted_at - interval '${IDEMPOTENCY_KEY_HOURS} hours'
          THEN known.fingerprint END AS known_fingerprint,
        item.quote_id IS NOT NULL
          AND (quote.used_by IS NULL AND quote.expires_at > accepted_at) IS NOT TRUE AS misquoted
      FROM unnest(workspace_ids, test_modes, costs, fingerprints, quote_ids) WITH ORDINALITY
        AS item (workspace_id, test_mode, cost, fingerprint, quote_id, ordinal)
      LEFT JOIN billing.accounts AS account ON account.workspace_id = item.workspace_id
      ${grants.join}
      LEFT JOIN billing.idempotency_keys AS known
        ON known.workspace_id = item.workspace_id AND known.scope = scopes[item.ordinal]
        AND known.key = keys[item.ordinal]
      LEFT JOIN billing.quotes AS quote ON quote.id = item.quote_id
    ), owed AS (
      SELECT item.*,
        CASE WHEN ${OWES_NOTHING} THEN 0 ELSE cost END AS debit,
        CASE WHEN ${OWES_NOTHING} THEN 0 ELSE segments END AS coverable
      FROM item
    ), summed AS (
      SELECT owed.*,
        segments_left > 0 OR sum(debit) OVER (PARTITION BY workspace_id) > balance AS contested,
        (balance - sum(debit) OVER wallet)::bigint AS left_if_uncontested
      FROM owed
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
    ), spent AS (
      SELECT summed.*,
        billing.left_after_spending(balance, segments_left, debit, coverable)
          FILTER (WHERE contested) OVER wallet AS left_after
      FROM summed
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
    ), settled AS (
      SELECT spent.*,
        CASE WHEN contested THEN left_after[1] ELSE left_if_uncontested END AS balance_after,
        CASE WHEN contested THEN left_after[2] ELSE 0 END AS segments_after
      FROM spent
    ), measured AS (
      SELECT settled.*, lag(balance_after, 1, balance) OVER wallet AS balance_before,
        ${grants.coverage} AS coverage
      FROM settled
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal)
    ), due AS (
      SELECT measured.*,
        CASE WHEN coverage > 0 THEN debit / coverable * coverage ELSE 0 END AS saved
      FROM measured
    ), judged AS MATERIALIZED (
      SELECT due.*, cost - saved AS taken, CASE
        WHEN balance IS NULL THEN 'unknown_workspace'
        WHEN known_fingerprint = fingerprint THEN 'replayed'
        WHEN known_fingerprint IS NOT NULL THEN 'idempotency_conflict'
        WHEN misquoted THEN 'invalid_quote'
        WHEN debit - saved <= balance_before THEN 'accepted'
        ELSE 'insufficient_credits'
      END AS verdict
      FROM due
    )`;

/** What follows from the verdicts. */
const book = (grants: Fragments) => `debited AS (
      UPDATE billing.accounts AS account
      SET balance = account.balance - charged.credits,
        entry_count = account.entry_count + charged.entries,
        updated_at = accepted_at
      FROM (
        SELECT workspace_id, sum(taken)::bigint AS credits, count(*) AS entries
        FROM judged WHERE verdict = 'accepted' AND NOT test_mode GROUP BY workspace_id
      ) AS charged
      WHERE account.workspace_id = charged.workspace_id
    ), charged AS (
      INSERT INTO billing.entries (
        id, workspace_id, ordinal, kind, credits, balance_after, message_id, price_rule, created_at,
        granted_segments, grant_month
      )
      SELECT entry_ids[ordinal], workspace_id,
        entry_count + row_number() OVER (PARTITION BY workspace_id ORDER BY ordinal),
        'charge', -taken, balance_after, message_ids[ordinal], price_rules[ordinal], accepted_at,
        coverage, CASE WHEN coverage > 0 THEN this_month END
      FROM judged WHERE verdict = 'accepted' AND NOT test_mode
    ${grants.booking}), recorded AS (
      INSERT INTO billing.acceptances (
        message_id, workspace_id, test_mode, credits, command, created_at
      )
      SELECT message_ids[ordinal], workspace_id, test_mode, taken, ${grants.command}, accepted_at
      FROM judged WHERE verdict = 'accepted'
    ), claimed AS (
      INSERT INTO billing.idempotency_keys AS stale (
        workspace_id, scope, key, fingerprint, message_id, created_at
      )
      SELECT workspace_id, scopes[ordinal], keys[ordinal], fingerprint, message_ids[ordinal],
        accepted_at
      FROM judged WHERE verdict = 'accepted' AND fingerprint IS NOT NULL
      ON CONFLICT (workspace_id, scope, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, message_id = excluded.message_id,
        entry_id = NULL, created_at = excluded.created_at
    ), quoted AS (
      UPDATE billing.quotes AS quote SET used_by = message_ids[ordinal]
      FROM judged WHERE verdict = 'accepted' AND quote.id = quote_id
    ), queued AS (
      INSERT INTO billing.outbox (topic, key, message_id, type, occurred_at, payload)
      SELECT topic, destinations[ordinal], message_ids[ordinal]::text, message_type, accepted_at,
        ${grants.command}
      FROM judged WHERE verdict = 'accepted' ORDER BY ordinal
    ), warned AS (
      INSERT INTO billing.outbox (topic, key, message_id, type, occurred_at, payload)
      SELECT '${CREDIT_EVENTS}', workspace_id::text, 'low-' || entry_ids[ordinal],
        'svc.credit-low.v1', accepted_at, json_build_object(
          'type', 'credit.low', 'workspace_id', workspace_id, 'entry_id', entry_ids[ordinal],
          'balance_after', balance_after, 'threshold', low_balance_threshold,
          'occurred_at', to_char(accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )::text
      FROM judged WHERE verdict = 'accepted' AND NOT test_mode
        AND balance_before >= low_balance_threshold AND balance_after < low_balance_threshold
    )
    SELECT ordinal, verdict, balance_before, taken, CASE WHEN verdict = 'replayed' THEN (
      SELECT command FROM billing.acceptances AS original
      WHERE original.message_id = known_message_id
    ) END
    FROM judged`;

/**
 * The acceptance transaction, for a batch of sends that are priced already. Parallel arrays in, one
 * verdict for each item out.
 *
 * 1. The accounts of the batch are locked in sorted order, so that batches never deadlock.
 * 2. The second statement has a younger snapshot than the lock: it sees every key and every balance
 *    that a competing batch, in this process or another, committed before it let the lock go.
 * 3. A send that names a quote is accepted only if the quote is still unused and in force. A quote
 *    belongs to one workspace, so the lock of the account is also the quote's.
 * 4. Where the wallet covers all that the batch asks of it, that is a running sum. Where it does
 *    not, or where this month's grant has something left, the workspace is "contested": grant and
 *    wallet are spent item by item in the order of arrival. The grant covers what segments it can
 *    and the wallet pays for the others, at the item's price per segment; an item that is too dear
 *    even so is refused, takes nothing of either, and the next one is measured against what is
 *    left. While nobody in a batch has a plan, the statement is one that knows of no grants.
 * 5. Debit, entries, acceptances, keys, used quotes, grants and outbox rows follow from the verdicts
 *    in the same statement. What a grant covered stands on the entry of the charge; the command
 *    says the credits that were taken.
 * 6. The charge that takes the balance from at or above the workspace's threshold to below it tells
 *    so, under the id of its entry: once per crossing, because the account is held.
 *
 * Only what the verdicts depend on goes through the query; the inserts fetch the rest from the
 * arrays. The caller guarantees that neither an idempotency key nor a quote occurs twice in a
 * batch, passes an id that no quote has for one that was made for something else, asks grants for
 * no segments but those of live SMS (each costs the same), and begins every command with its credits.
 */
export const acceptSends = `
  -- What is left, credits and granted segments, after an item that may or may not be affordable.
  CREATE OR REPLACE FUNCTION billing.spend(
    remaining bigint[], balance bigint, granted bigint, cost bigint, segments bigint
  ) RETURNS bigint[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    credits bigint := coalesce(remaining[1], balance);
    segments_left bigint := coalesce(remaining[2], granted);
    covered bigint := least(segments_left, segments);
    due bigint := cost - CASE WHEN covered > 0 THEN cost / segments * covered ELSE 0 END;
  BEGIN
    RETURN CASE WHEN due <= credits
      THEN ARRAY[credits - due, segments_left - covered]
      ELSE ARRAY[credits, segments_left]
    END;
  END $$;

  CREATE OR REPLACE AGGREGATE billing.left_after_spending(
    balance bigint, granted bigint, cost bigint, segments bigint
  ) (SFUNC = billing.spend, STYPE = bigint[]);

  CREATE OR REPLACE FUNCTION billing.accept_sends(
    workspace_ids uuid[], message_ids uuid[], entry_ids uuid[], test_modes boolean[],
    costs bigint[], price_rules text[], destinations text[], commands text[],
    scopes text[], keys text[], fingerprints text[], quote_ids uuid[], grantable bigint[],
    accepted_at timestamptz, topic text, message_type text
  ) RETURNS TABLE (
    ordinal bigint, verdict text, balance bigint, credits bigint, replayed_command text
  )
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  DECLARE
    this_month date := date_trunc('month', accepted_at AT TIME ZONE 'UTC');
    has_plan boolean;
  BEGIN
    SELECT bool_or(sms_segments_per_month IS NOT NULL) INTO has_plan FROM (
      SELECT sms_segments_per_month FROM billing.accounts
      WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE
    ) AS locked;

    IF has_plan THEN
      RETURN QUERY ${judge(GRANTS)}, ${book(GRANTS)};
    ELSE
      RETURN QUERY ${judge(NO_GRANTS)}, ${book(NO_GRANTS)};
    END IF;
  END $$;
`;
