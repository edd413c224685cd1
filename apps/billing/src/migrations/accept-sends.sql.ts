import { IDEMPOTENCY_KEY_HOURS, TOPICS } from '@watchword/contracts';
import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';

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
 *    not (the workspace is "contested"), it is spent item by item in the order of arrival: an item
 *    that is too dear is refused, and the next one is measured against what is left.
 * 5. Debit, entries, acceptances, keys, used quotes and outbox rows follow from the verdicts in the
 *    same statement.
 * 6. The charge that takes the balance from at or above the workspace's threshold to below it tells
 *    so, under the id of its entry: once per crossing, because the account is held.
 *
 * Only what the verdicts depend on goes through the query; the inserts fetch the rest from the
 * arrays. The caller guarantees that neither an idempotency key nor a quote occurs twice in a
 * batch, and passes an id that no quote has for one that was made for something else.
 */
export const acceptSends = `
  -- What is left after an item that may or may not be affordable.
  CREATE OR REPLACE FUNCTION billing.spend(
    remaining bigint, balance bigint, cost bigint
  ) RETURNS bigint
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    remaining := coalesce(remaining, balance);
    RETURN CASE WHEN cost <= remaining THEN remaining - cost ELSE remaining END;
  END $$;

  CREATE OR REPLACE AGGREGATE billing.left_after_spending(balance bigint, cost bigint) (
    SFUNC = billing.spend, STYPE = bigint
  );

  CREATE OR REPLACE FUNCTION billing.accept_sends(
    workspace_ids uuid[], message_ids uuid[], entry_ids uuid[], test_modes boolean[],
    costs bigint[], price_rules text[], destinations text[], commands text[],
    scopes text[], keys text[], fingerprints text[], quote_ids uuid[],
    accepted_at timestamptz, topic text, message_type text
  ) RETURNS TABLE (ordinal bigint, verdict text, balance bigint, replayed_command text)
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM FROM billing.accounts
      WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE;

    RETURN QUERY
    WITH item AS (
      SELECT item.*, account.balance, account.entry_count, account.low_balance_threshold,
        known.message_id AS known_message_id,
        CASE WHEN known.created_at > accepted_at - interval '${IDEMPOTENCY_KEY_HOURS} hours'
          THEN known.fingerprint END AS known_fingerprint,
        item.quote_id IS NOT NULL
          AND (quote.used_by IS NULL AND quote.expires_at > accepted_at) IS NOT TRUE AS misquoted
      FROM unnest(workspace_ids, test_modes, costs, fingerprints, quote_ids) WITH ORDINALITY
        AS item (workspace_id, test_mode, cost, fingerprint, quote_id, ordinal)
      LEFT JOIN billing.accounts AS account ON account.workspace_id = item.workspace_id
      LEFT JOIN billing.idempotency_keys AS known
        ON known.workspace_id = item.workspace_id AND known.scope = scopes[item.ordinal]
        AND known.key = keys[item.ordinal]
      LEFT JOIN billing.quotes AS quote ON quote.id = item.quote_id
    ), owed AS (
      SELECT item.*,
        CASE WHEN test_mode OR known_fingerprint IS NOT NULL OR misquoted THEN 0 ELSE cost END AS debit
      FROM item
    ), summed AS (
      SELECT owed.*,
        sum(debit) OVER (PARTITION BY workspace_id) > balance AS contested,
        (balance - sum(debit) OVER wallet)::bigint AS left_if_uncontested
      FROM owed
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
    ), spent AS (
      SELECT summed.*, CASE WHEN contested
        THEN billing.left_after_spending(balance, debit) FILTER (WHERE contested) OVER wallet
        ELSE left_if_uncontested
      END AS balance_after
      FROM summed
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
    ), measured AS (
      SELECT spent.*, lag(balance_after, 1, balance) OVER wallet AS balance_before
      FROM spent
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal)
    ), judged AS MATERIALIZED (
      SELECT measured.*, CASE
        WHEN balance IS NULL THEN 'unknown_workspace'
        WHEN known_fingerprint = fingerprint THEN 'replayed'
        WHEN known_fingerprint IS NOT NULL THEN 'idempotency_conflict'
        WHEN misquoted THEN 'invalid_quote'
        WHEN debit <= balance_before THEN 'accepted'
        ELSE 'insufficient_credits'
      END AS verdict
      FROM measured
    ), debited AS (
      UPDATE billing.accounts AS account
      SET balance = account.balance - charged.credits,
        entry_count = account.entry_count + charged.entries,
        updated_at = accepted_at
      FROM (
        SELECT workspace_id, sum(cost)::bigint AS credits, count(*) AS entries
        FROM judged WHERE verdict = 'accepted' AND NOT test_mode GROUP BY workspace_id
      ) AS charged
      WHERE account.workspace_id = charged.workspace_id
    ), charged AS (
      INSERT INTO billing.entries (
        id, workspace_id, ordinal, kind, credits, balance_after, message_id, price_rule, created_at
      )
      SELECT entry_ids[ordinal], workspace_id,
        entry_count + row_number() OVER (PARTITION BY workspace_id ORDER BY ordinal),
        'charge', -cost, balance_after, message_ids[ordinal], price_rules[ordinal], accepted_at
      FROM judged WHERE verdict = 'accepted' AND NOT test_mode
    ), recorded AS (
      INSERT INTO billing.acceptances (
        message_id, workspace_id, test_mode, credits, command, created_at
      )
      SELECT message_ids[ordinal], workspace_id, test_mode, cost, commands[ordinal], accepted_at
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
        commands[ordinal]
      FROM judged WHERE verdict = 'accepted' ORDER BY ordinal
    ), warned AS (
      INSERT INTO billing.outbox (topic, key, message_id, type, occurred_at, payload)
      SELECT '${TOPICS.creditEvents.name}', workspace_id::text, 'low-' || entry_ids[ordinal],
        'svc.credit-low.v1', accepted_at, json_build_object(
          'type', 'credit.low', 'workspace_id', workspace_id, 'entry_id', entry_ids[ordinal],
          'balance_after', balance_after, 'threshold', low_balance_threshold,
          'occurred_at', to_char(accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        )::text
      FROM judged WHERE verdict = 'accepted' AND NOT test_mode
        AND balance_before >= low_balance_threshold AND balance_after < low_balance_threshold
    )
    SELECT ordinal, verdict, balance_before, CASE WHEN verdict = 'replayed' THEN (
      SELECT command FROM billing.acceptances AS original
      WHERE original.message_id = known_message_id
    ) END
    FROM judged;
  END $$;
`;
