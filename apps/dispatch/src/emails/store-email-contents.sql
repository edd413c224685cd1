-- Stores contents of one workspace, each under its hash, and holds them. Returns false, and stores nothing, where the
-- bytes of the mode (of both, if `both_modes`) would exceed `bytes_max`; null is no bound. What is stored already counts
-- once. A content that is stored again counts as new, so the purge keeps it for the acceptance that follows.
--
-- A transaction that changes contents locks the counters of their workspaces first, in sorted order.
CREATE OR REPLACE FUNCTION dispatch.store_email_contents(
  for_workspace_id uuid, hashes text[], ciphers bytea[], is_test boolean, bytes_max bigint,
  both_modes boolean, at timestamptz
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  new_bytes bigint;
  moved_bytes bigint;
BEGIN
  INSERT INTO dispatch.stored_bytes (workspace_id, test_mode, bytes)
  VALUES (for_workspace_id, is_test, 0) ON CONFLICT DO NOTHING;
  PERFORM FROM dispatch.stored_bytes
  WHERE workspace_id = for_workspace_id ORDER BY test_mode FOR UPDATE;

  -- A live send makes a content of tests a live one.
  SELECT coalesce(sum(octet_length(cipher)) FILTER (WHERE content.sha256 IS NULL), 0),
    coalesce(sum(octet_length(content_cipher)) FILTER (WHERE content.test_mode AND NOT is_test), 0)
  INTO new_bytes, moved_bytes
  FROM unnest(hashes, ciphers) AS given (sha256, cipher)
  LEFT JOIN dispatch.email_contents AS content
    ON content.workspace_id = for_workspace_id AND content.sha256 = given.sha256;

  IF new_bytes + moved_bytes > 0 AND bytes_max < (
    SELECT sum(bytes) + new_bytes + CASE WHEN both_modes THEN 0 ELSE moved_bytes END
    FROM dispatch.stored_bytes
    WHERE workspace_id = for_workspace_id AND (both_modes OR test_mode = is_test)
  ) THEN
    RETURN false;
  END IF;

  INSERT INTO dispatch.email_contents AS content (
    workspace_id, sha256, content_cipher, stored_at, test_mode
  )
  SELECT for_workspace_id, sha256, cipher, at, is_test
  FROM unnest(hashes, ciphers) AS given (sha256, cipher)
  ON CONFLICT (workspace_id, sha256) DO UPDATE
  SET stored_at = excluded.stored_at, holds = content.holds + 1,
    test_mode = content.test_mode AND is_test;

  UPDATE dispatch.stored_bytes AS counter
  SET bytes = greatest(0, bytes + CASE
    WHEN counter.test_mode = is_test THEN new_bytes + moved_bytes ELSE -moved_bytes END)
  WHERE workspace_id = for_workspace_id AND (counter.test_mode = is_test OR moved_bytes > 0);
  RETURN true;
END $$;
