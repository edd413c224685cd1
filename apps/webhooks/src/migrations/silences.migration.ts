import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - A silence is a time in which an endpoint was disabled, as numbers of its workspace's events, with the events that it
 *   would have heard. `last_sequence` is null while it lasts. Recoveries read silences.
 * - The trigger writes them, so that no change of an endpoint is missed, also one by an older version of the program.
 * - The end of a silence waits for the fan-out that is under way, and the next one sees the changed endpoint. The
 *   beginning does not wait: an event that is numbered meanwhile has a delivery, which decides about it.
 */
const SILENCES = `
  CREATE TABLE webhooks.silences (
    endpoint_id uuid NOT NULL,
    after_sequence bigint NOT NULL,
    last_sequence bigint,
    events text[] NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (endpoint_id, after_sequence),
    CONSTRAINT ended_with_a_number CHECK ((last_sequence IS NULL) = (ended_at IS NULL))
  );
  CREATE INDEX ended_silences ON webhooks.silences (ended_at) WHERE ended_at IS NOT NULL;

  CREATE FUNCTION webhooks.follow_silence() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    last bigint;
  BEGIN
    IF OLD.status = 'disabled' THEN
      PERFORM pg_advisory_xact_lock(hashtextextended(NEW.workspace_id::text, 7));
    END IF;
    SELECT last_sequence INTO last FROM webhooks.sequences WHERE workspace_id = NEW.workspace_id;
    last := coalesce(last, 0);
    UPDATE webhooks.silences SET last_sequence = last, ended_at = NEW.updated_at
    WHERE endpoint_id = NEW.id AND last_sequence IS NULL;
    IF NEW.status = 'disabled' AND NEW.deleted_at IS NULL THEN
      INSERT INTO webhooks.silences (endpoint_id, after_sequence, events)
      VALUES (NEW.id, last, NEW.events)
      ON CONFLICT (endpoint_id, after_sequence)
      DO UPDATE SET last_sequence = NULL, ended_at = NULL, events = excluded.events;
    END IF;
    RETURN NULL;
  END $$;

  CREATE TRIGGER follow_silence AFTER UPDATE ON webhooks.endpoints FOR EACH ROW
    WHEN (NEW.variant = 'b' AND (
      OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at
      OR NEW.status = 'disabled' AND OLD.events IS DISTINCT FROM NEW.events))
    EXECUTE FUNCTION webhooks.follow_silence();
`;

/**
 * When an endpoint was disabled is not known, as other changes move `updated_at` too. So the silence begins with the
 * first event. For an endpoint that is enabled now, it may have been disabled until now.
 */
const SILENCES_SO_FAR = `
  INSERT INTO webhooks.silences (endpoint_id, after_sequence, last_sequence, events, ended_at)
  SELECT endpoint.id, 0,
    CASE WHEN endpoint.status = 'enabled' THEN coalesce(known.last_sequence, 0) END,
    endpoint.events,
    CASE WHEN endpoint.status = 'enabled' THEN now() END
  FROM webhooks.endpoints AS endpoint
  LEFT JOIN webhooks.sequences AS known USING (workspace_id)
  WHERE endpoint.variant = 'b' AND endpoint.deleted_at IS NULL
    AND (endpoint.status = 'disabled' OR endpoint.version > 1);
`;

export class Silences1796520000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SILENCES);
    await runner.query(SILENCES_SO_FAR);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
