import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `holds` counts the sends that stored a content and were not refused since. A refused send gives its hold back, and the
 *   last one takes the content along. Contents from before are held by whoever refers to them.
 * - `stored_bytes` counts the contents of a workspace by mode, so that a bound needs no sum. A content that both modes
 *   store is a live one.
 */
const STORED_BYTES = `
  ALTER TABLE email_contents
    ADD COLUMN test_mode boolean NOT NULL DEFAULT false,
    ADD COLUMN holds integer NOT NULL DEFAULT 1;

  CREATE TABLE stored_bytes (
    workspace_id uuid NOT NULL,
    test_mode boolean NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (workspace_id, test_mode)
  ) WITH (fillfactor = 70);

  INSERT INTO stored_bytes (workspace_id, test_mode, bytes)
  SELECT workspace_id, false, sum(octet_length(content_cipher))
  FROM email_contents GROUP BY workspace_id;
`;

export class StoredBytes1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STORED_BYTES);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
