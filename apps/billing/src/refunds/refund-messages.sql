-- Refunds a batch of messages: gives back exactly what each message was charged, once. Credits go to the wallet,
-- where they pay the account's debt with a further entry at once, and units of a grant go to the grant of the month
-- that paid. This month's grant shrinks with them where it is larger than the plan, which was lowered. Verdicts:
--
-- refunded          This transaction writes an entry, the balance and a `credit.refunded` event.
-- already_refunded  Nothing to do: the event was committed together with the entry.
-- uncharged         This workspace has no charge for this message, so nothing is given back. The event says so
--                   (no entry, zero credits), because dispatch waits for an answer. A repeated command repeats
--                   the event under the same id.
--
-- The accounts are locked first, in sorted order. The second statement has a younger snapshot than the locks, so
-- it sees everything that a competing transaction committed before it released them. The caller guarantees that
-- no message occurs twice in a batch.
CREATE OR REPLACE FUNCTION billing.refund_messages(
  workspace_ids uuid[], message_ids uuid[], entry_ids uuid[], refunded_at timestamptz,
  occurred_at text, topic text, message_type text
) RETURNS TABLE (message_id uuid, verdict text, test_mode boolean)
LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM billing.accounts
    WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE;

  RETURN QUERY
  WITH item AS (
    SELECT item.*, account.balance, account.debt, account.entry_count, booked.charged, booked.key_id,
      booked.granted_segments, booked.grant_month, booked.grant_unit, CASE
      WHEN booked.charged IS NULL THEN 'uncharged'
      WHEN booked.refunded THEN 'already_refunded'
      ELSE 'refunded'
    END AS verdict
    FROM unnest(workspace_ids, message_ids, entry_ids) WITH ORDINALITY
      AS item (workspace_id, message_id, entry_id, ordinal)
    LEFT JOIN billing.accounts AS account ON account.workspace_id = item.workspace_id
    CROSS JOIN LATERAL (
      SELECT
        max(-credits) FILTER (
          WHERE kind = 'charge' AND entry.workspace_id = item.workspace_id
        ) AS charged,
        max(granted_segments) FILTER (WHERE kind = 'charge') AS granted_segments,
        max(grant_month) FILTER (WHERE kind = 'charge') AS grant_month,
        max(grant_unit) FILTER (WHERE kind = 'charge') AS grant_unit,
        max(key_id::text) FILTER (WHERE kind = 'charge')::uuid AS key_id,
        coalesce(bool_or(kind = 'refund'), false) AS refunded
      FROM billing.entries AS entry WHERE entry.message_id = item.message_id
    ) AS booked
  ), summed AS (
    SELECT item.*,
      coalesce(sum(charged) FILTER (WHERE verdict = 'refunded') OVER wallet, 0)::bigint AS given,
      entry_count + count(*) FILTER (WHERE verdict = 'refunded') OVER wallet AS entry_ordinal
    FROM item
    WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
  ), judged AS MATERIALIZED (
    SELECT summed.*, coalesce(balance, 0) + given AS balance_after,
      least(debt, given) AS paid
    FROM summed
  ), settled AS MATERIALIZED (
    -- What the refunds of the batch make of an account.
    SELECT DISTINCT ON (workspace_id) workspace_id, entry_id, entry_ordinal, balance_after, paid
    FROM judged WHERE verdict = 'refunded' ORDER BY workspace_id, ordinal DESC
  ), credited AS (
    UPDATE billing.accounts AS account
    SET balance = balance_after - paid, debt = debt - paid,
      entry_count = entry_ordinal + (paid > 0)::integer, updated_at = refunded_at
    FROM settled WHERE account.workspace_id = settled.workspace_id
  ), debt_paid AS (
    -- Its id is that of the last refund with another end: PostgreSQL makes no UUIDv7 before version 18.
    INSERT INTO billing.entries (
      id, workspace_id, ordinal, kind, top_up_kind, credits, balance_after, created_at, note,
      debt_change
    )
    SELECT (left(entry_id::text, 24) || left(md5(entry_id::text), 12))::uuid, workspace_id,
      entry_ordinal + 1, 'top_up', 'adjustment', -paid, balance_after - paid, refunded_at,
      'Pays for refunded credits that were spent.', -paid
    FROM settled WHERE paid > 0
  ), refunded AS (
    INSERT INTO billing.entries (
      id, workspace_id, ordinal, kind, credits, balance_after, message_id, created_at,
      granted_segments, grant_month, grant_unit, key_id
    )
    SELECT entry_id, workspace_id, entry_ordinal, 'refund', charged, balance_after,
      message_id, refunded_at, granted_segments, grant_month, grant_unit, key_id
    FROM judged WHERE verdict = 'refunded'
  ), regranted AS (
    UPDATE billing.grants AS known
    SET used = known.used - returned.segments,
      granted = CASE
        WHEN known.month = date_trunc('month', refunded_at AT TIME ZONE 'UTC')::date
        THEN greatest(known.used - returned.segments, least(known.granted, plan.quota))
        ELSE known.granted
      END
    FROM (
      SELECT workspace_id, grant_unit AS unit, grant_month, sum(granted_segments) AS segments
      FROM judged WHERE verdict = 'refunded' AND granted_segments > 0
      GROUP BY workspace_id, grant_unit, grant_month
    ) AS returned
    CROSS JOIN LATERAL (
      SELECT CASE returned.unit
        WHEN 'sms_segment' THEN account.sms_segments_per_month
        ELSE account.emails_per_month
      END AS quota
      FROM billing.accounts AS account WHERE account.workspace_id = returned.workspace_id
    ) AS plan
    WHERE known.workspace_id = returned.workspace_id AND known.unit = returned.unit
      AND known.month = returned.grant_month
  ), returned_in_test AS (
    -- A test message has no entries; the mark keeps a repeated command from counting twice.
    UPDATE billing.acceptances AS acceptance SET budget_returned = true
    FROM judged
    WHERE acceptance.message_id = judged.message_id AND verdict = 'uncharged'
      AND acceptance.workspace_id = judged.workspace_id AND acceptance.test_mode
      AND acceptance.key_id IS NOT NULL AND NOT acceptance.budget_returned
    RETURNING acceptance.workspace_id, acceptance.key_id, true AS test_mode, acceptance.credits
  ), budgeted AS (
    -- A refund counts on the day it is made.
    INSERT INTO billing.key_spending AS known (workspace_id, key_id, test_mode, day, credits)
    SELECT workspace_id, key_id, test_mode, (refunded_at AT TIME ZONE 'UTC')::date, -sum(credits)
    FROM (
      SELECT workspace_id, key_id, false AS test_mode, charged AS credits
      FROM judged WHERE verdict = 'refunded' AND key_id IS NOT NULL
      UNION ALL
      SELECT workspace_id, key_id, test_mode, credits FROM returned_in_test
    ) AS returned
    GROUP BY workspace_id, key_id, test_mode
    ON CONFLICT (key_id, test_mode, day) DO UPDATE SET credits = known.credits + excluded.credits
  ), announced AS (
    INSERT INTO billing.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT r.topic, r.reader, workspace_id::text, 'refund-' || message_id, message_type, refunded_at,
      jsonb_build_object(
        'type', 'credit.refunded',
        'workspace_id', workspace_id,
        'message_id', message_id,
        'entry_id', CASE WHEN verdict = 'refunded' THEN entry_id END,
        'credits', CASE WHEN verdict = 'refunded' THEN charged ELSE 0 END,
        'balance_after', balance_after - paid,
        'occurred_at', occurred_at
      )::text
    FROM judged JOIN billing.message_queue_readers AS r ON r.topic = refund_messages.topic
    WHERE verdict <> 'already_refunded' ORDER BY ordinal
  )
  SELECT message_id, verdict, (
    SELECT test_mode FROM billing.acceptances AS acceptance
    WHERE acceptance.message_id = judged.message_id
  )
  FROM judged;
END $$;
