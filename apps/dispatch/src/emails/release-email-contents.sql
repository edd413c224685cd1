-- A send that stored these contents was refused: it gives its holds back. Contents that nobody else holds are deleted.
-- See store_email_contents for the order of locks.
CREATE OR REPLACE FUNCTION dispatch.release_email_contents(for_workspace_id uuid, hashes text[])
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dispatch.stored_bytes
  WHERE workspace_id = for_workspace_id ORDER BY test_mode FOR UPDATE;

  UPDATE dispatch.email_contents SET holds = holds - 1
  WHERE workspace_id = for_workspace_id AND sha256 = ANY (hashes);

  WITH deleted AS (
    DELETE FROM dispatch.email_contents
    WHERE workspace_id = for_workspace_id AND sha256 = ANY (hashes) AND holds <= 0
    RETURNING test_mode, octet_length(content_cipher) AS bytes
  )
  UPDATE dispatch.stored_bytes AS counter SET bytes = greatest(0, counter.bytes - freed.bytes)
  FROM (SELECT test_mode, sum(bytes) AS bytes FROM deleted GROUP BY test_mode) AS freed
  WHERE counter.workspace_id = for_workspace_id AND counter.test_mode = freed.test_mode;
END $$;
