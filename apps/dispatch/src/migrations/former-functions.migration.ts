import type { MigrationInterface, QueryRunner } from 'typeorm';

/** No program since 0.2.0 calls them. */
const DROP_FORMER = `
  DROP FUNCTION IF EXISTS insert_messages(json, json, json);
  DROP FUNCTION IF EXISTS update_messages(json, json, json, json);
  DROP FUNCTION IF EXISTS verify_messages(json, json, json, json, json, timestamptz);
  DROP FUNCTION IF EXISTS read_messages(uuid[]);
`;

/** Programs before 0.2.0 changed the time without the list. Such a list is out of date. */
const FORGET_OUTDATED = `
  UPDATE workspace_standings SET shared_sender_ids = NULL
  WHERE shared_sender_ids IS NOT NULL
    AND (shared_sender_ids ->> 'changed_at')::timestamptz IS DISTINCT FROM changed_at
`;

export class FormerMessageFunctions1796700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_FORMER);
    await runner.query(FORGET_OUTDATED);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
