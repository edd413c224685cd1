-- Emails with their recipients and attempts, as JSON in the names of the program (email.ts). An email outside the scope
-- of its reader (its workspace, the mode of its key) is not returned; null is no bound.
CREATE OR REPLACE FUNCTION dispatch.read_emails(ids uuid[], workspace_ids uuid[], test_modes boolean[])
RETURNS SETOF json LANGUAGE plpgsql STABLE
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
BEGIN
  RETURN QUERY
  SELECT row_to_json(email) FROM (
    SELECT
      e.id, e.workspace_id AS "workspaceId", e.test_mode AS "testMode", e.version, e.command,
      e.created_at AS "createdAt", e.send_at AS "sendAt", e.queued_at AS "queuedAt",
      e.updated_at AS "updatedAt", e.refunded, e.settled_at AS "settledAt",
      (SELECT json_agg(recipient ORDER BY recipient.number) FROM (
        SELECT
          r.number, r.address, r.state, r.due_at AS "dueAt", r.deferrals, r.step, r.bounce, r.reason,
          r.failure_announced AS "failureAnnounced", r.delayed_at AS "delayedAt", r.sent_at AS "sentAt",
          r.delivered_at AS "deliveredAt", r.ended_at AS "endedAt",
          r.complained_at AS "complainedAt", r.opened_at AS "openedAt", r.clicked_at AS "clickedAt",
          r.unsubscribed_at AS "unsubscribedAt", r.opens_announced AS "opensAnnounced",
          r.clicks_announced AS "clicksAnnounced"
        FROM dispatch.email_recipients r WHERE r.email_id = e.id) AS recipient) AS recipients,
      (SELECT json_agg(attempt ORDER BY attempt."startedAt", attempt.recipient, attempt.number) FROM (
        SELECT
          a.recipient, a.number, a.round, a.provider, a.started_at AS "startedAt",
          a.finished_at AS "finishedAt", a.outcome, a.was_ambiguous AS "wasAmbiguous",
          a.provider_message_id AS "providerMessageId", a.raw_code AS "rawCode",
          a.raw_message AS "rawMessage", a.held_by AS "heldBy",
          coalesce(a.is_temporary, false) AS "isTemporary"
        FROM dispatch.email_attempts a WHERE a.email_id = e.id) AS attempt) AS attempts
    FROM unnest(ids, workspace_ids, test_modes) AS w (id, workspace_id, test_mode)
    JOIN dispatch.emails e ON e.id = w.id
      AND e.workspace_id = coalesce(w.workspace_id, e.workspace_id)
      AND e.test_mode = coalesce(w.test_mode, e.test_mode)) AS email;
END $$;
