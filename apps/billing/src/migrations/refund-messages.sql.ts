const PLANNED_ONCE_BY_KEY = `
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET jit = off
`;

/** As released with 0.1.0. Frozen: the function lives in `refunds/refund-messages.sql`. */
export const refundMessages = `
  CREATE OR REPLACE FUNCTION billing.refund_messages(
    workspace_ids uuid[], message_ids uuid[], entry_ids uuid[], refunded_at timestamptz,
    occurred_at text, topic text, message_type text
  ) RETURNS TABLE (message_id uuid, verdict text, test_mode boolean)
  LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM FROM billing.accounts
      WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE;

    RETURN QUERY
    WITH item AS (
      SELECT item.*, account.balance, account.entry_count, booked.charged,
        booked.granted_segments, booked.grant_month, CASE
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
          coalesce(bool_or(kind = 'refund'), false) AS refunded
        FROM billing.entries AS entry WHERE entry.message_id = item.message_id
      ) AS booked
    ), judged AS MATERIALIZED (
      SELECT item.*,
        coalesce(balance, 0)
          + coalesce(sum(charged) FILTER (WHERE verdict = 'refunded') OVER wallet, 0)::bigint
          AS balance_after,
        entry_count + count(*) FILTER (WHERE verdict = 'refunded') OVER wallet AS entry_ordinal
      FROM item
      WINDOW wallet AS (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING)
    ), credited AS (
      UPDATE billing.accounts AS account
      SET balance = refunds.balance, entry_count = refunds.entry_count, updated_at = refunded_at
      FROM (
        SELECT workspace_id, max(balance_after) AS balance, max(entry_ordinal) AS entry_count
        FROM judged WHERE verdict = 'refunded' GROUP BY workspace_id
      ) AS refunds
      WHERE account.workspace_id = refunds.workspace_id
    ), refunded AS (
      INSERT INTO billing.entries (
        id, workspace_id, ordinal, kind, credits, balance_after, message_id, created_at,
        granted_segments, grant_month
      )
      SELECT entry_id, workspace_id, entry_ordinal, 'refund', charged, balance_after,
        message_id, refunded_at, granted_segments, grant_month
      FROM judged WHERE verdict = 'refunded'
    ), regranted AS (
      UPDATE billing.grants AS known SET used = known.used - returned.segments
      FROM (
        SELECT workspace_id, grant_month, sum(granted_segments) AS segments
        FROM judged WHERE verdict = 'refunded' AND granted_segments > 0
        GROUP BY workspace_id, grant_month
      ) AS returned
      WHERE known.workspace_id = returned.workspace_id AND known.unit = 'sms_segment'
        AND known.month = returned.grant_month
    ), announced AS (
      INSERT INTO billing.outbox (topic, key, message_id, type, occurred_at, payload)
      SELECT topic, workspace_id::text, 'refund-' || message_id, message_type, refunded_at,
        jsonb_build_object(
          'type', 'credit.refunded',
          'workspace_id', workspace_id,
          'message_id', message_id,
          'entry_id', CASE WHEN verdict = 'refunded' THEN entry_id END,
          'credits', CASE WHEN verdict = 'refunded' THEN charged ELSE 0 END,
          'balance_after', balance_after,
          'occurred_at', occurred_at
        )::text
      FROM judged WHERE verdict <> 'already_refunded' ORDER BY ordinal
    )
    SELECT message_id, verdict, (
      SELECT test_mode FROM billing.acceptances AS acceptance
      WHERE acceptance.message_id = judged.message_id
    )
    FROM judged;
  END $$;
`;
