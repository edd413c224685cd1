-- Deletes contents that are older than a day and that no email refers to, and returns their number.
--
-- A reference counts as long as its content is kept, and while the email waits to be sent. Emails of a suspended
-- workspace are held as commands, which name their contents. See store_email_contents for the order of locks.
CREATE OR REPLACE FUNCTION dispatch.purge_email_contents(
  at timestamptz, live_kept interval, test_kept interval, max_count integer
) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  old_workspace_ids uuid[];
  old_hashes text[];
  deleted_count integer;
BEGIN
  SELECT array_agg(workspace_id), array_agg(sha256) INTO old_workspace_ids, old_hashes
  FROM (
    SELECT workspace_id, sha256 FROM dispatch.email_contents AS old
    WHERE stored_at < at - interval '24 hours' AND NOT EXISTS (
      SELECT FROM dispatch.emails AS email
      WHERE email.workspace_id = old.workspace_id AND email.content_sha256 = old.sha256
        AND (coalesce(email.send_at, email.created_at)
               > at - CASE WHEN old.test_mode THEN test_kept ELSE live_kept END
             OR email.status IN ('queued', 'scheduled')))
      AND NOT EXISTS (
        SELECT FROM dispatch.held_commands AS held
        WHERE held.workspace_id = old.workspace_id AND strpos(held.command, old.sha256) > 0)
    ORDER BY stored_at LIMIT max_count
  ) AS found;
  IF old_hashes IS NULL THEN RETURN 0; END IF;

  PERFORM FROM dispatch.stored_bytes
  WHERE workspace_id = ANY (old_workspace_ids) ORDER BY workspace_id, test_mode FOR UPDATE;

  -- One that was stored again meanwhile stays.
  WITH deleted AS (
    DELETE FROM dispatch.email_contents AS content
    USING unnest(old_workspace_ids, old_hashes) AS old (workspace_id, sha256)
    WHERE content.workspace_id = old.workspace_id AND content.sha256 = old.sha256
      AND stored_at < at - interval '24 hours'
    RETURNING content.workspace_id, content.test_mode, octet_length(content_cipher) AS bytes
  ), counted AS (
    UPDATE dispatch.stored_bytes AS counter SET bytes = greatest(0, counter.bytes - freed.bytes)
    FROM (
      SELECT workspace_id, test_mode, sum(bytes) AS bytes FROM deleted GROUP BY workspace_id, test_mode
    ) AS freed
    WHERE counter.workspace_id = freed.workspace_id AND counter.test_mode = freed.test_mode
  )
  SELECT count(*) INTO deleted_count FROM deleted;
  RETURN deleted_count;
END $$;
