import { PLANNED_ONCE_BY_KEY } from '@watchword/postgres';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts a judged batch with its guesses, or leaves alone what must be judged again.
 *
 * The numbers are locked first, in sorted order, so that from here on nobody else counts on them; the
 * statements after it see what was committed before. A guess that was judged without the count of its
 * number (`known` is null, the usual case, which saves reading it) is written only where the number stays
 * clear of the cap with all of the batch; one that was judged with it only if that is still the count. The
 * update of the messages is the same as everywhere, and what it did not change is not counted either.
 */
const VERIFY = `
  CREATE FUNCTION dispatch.verify_messages(
    changes json, attempts json, outgoing json, keys json, guesses json, judged_at timestamptz
  ) RETURNS SETOF uuid LANGUAGE plpgsql ${PLANNED_ONCE_BY_KEY} AS $$
  #variable_conflict use_column
  DECLARE
    unsure uuid[];
    changed uuid[];
  BEGIN
    INSERT INTO dispatch.guessed_numbers (workspace_id, destination)
    SELECT DISTINCT i."workspaceId", i.destination
    FROM json_to_recordset(guesses) AS i ("workspaceId" uuid, destination text, wrong integer)
    WHERE i.wrong > 0 ORDER BY 1, 2
    ON CONFLICT DO NOTHING;

    PERFORM FROM json_to_recordset(guesses) AS i ("workspaceId" uuid, destination text)
      JOIN dispatch.guessed_numbers n
        ON n.workspace_id = i."workspaceId" AND n.destination = i.destination
      ORDER BY n.workspace_id, n.destination FOR UPDATE OF n;

    unsure := array(
      SELECT i."messageId"
      FROM json_to_recordset(guesses) AS i (
        "messageId" uuid, "workspaceId" uuid, destination text, "numberGuesses" integer,
        known integer)
      LEFT JOIN dispatch.guessed_numbers n
        ON n.workspace_id = i."workspaceId" AND n.destination = i.destination
      WHERE CASE WHEN i.known IS NULL
        THEN coalesce(n.wrong_count, 0) + i."numberGuesses" >= 100
        ELSE coalesce(n.wrong_count, 0) <> i.known END);

    IF cardinality(unsure) > 0 THEN
      changes := (
        SELECT coalesce(json_agg(change), '[]') FROM json_array_elements(changes) AS change
        WHERE (change ->> 'id')::uuid <> ALL (unsure));
    END IF;
    changed := array(SELECT dispatch.update_messages(changes, attempts, outgoing, keys));

    UPDATE dispatch.guessed_numbers n SET
      wrong_count = CASE
        WHEN counted.is_right THEN 0
        -- Counted although it is full: its bar has ended.
        WHEN n.wrong_count >= 100 THEN counted.wrong
        ELSE n.wrong_count + counted.wrong END,
      last_wrong_at = CASE WHEN counted.wrong > 0 THEN judged_at ELSE n.last_wrong_at END
    FROM (
      SELECT i."workspaceId", i.destination, sum(i.wrong) AS wrong, bool_or(i."isRight") AS is_right
      FROM json_to_recordset(guesses) AS i (
        "messageId" uuid, "workspaceId" uuid, destination text, wrong integer, "isRight" boolean)
      WHERE i."messageId" = ANY (changed) GROUP BY 1, 2
    ) AS counted
    WHERE n.workspace_id = counted."workspaceId" AND n.destination = counted.destination;

    RETURN QUERY SELECT unnest(changed);
  END $$;
`;

/** How many wrong codes in a row were tried on a number, over all its codes; see `guess-cap.policy.ts`. */
export class Guesses1795399200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE guessed_numbers (
        workspace_id uuid NOT NULL,
        destination text NOT NULL,
        wrong_count integer NOT NULL DEFAULT 0,
        last_wrong_at timestamptz,
        PRIMARY KEY (workspace_id, destination)
      ) WITH (fillfactor = 70);
    `);
    await queryRunner.query(VERIFY);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
