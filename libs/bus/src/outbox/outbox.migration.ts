import { ALL_TOPICS, type ServiceName } from '@watchword/contracts';

/**
 * The outbox: the queue table in the schema of every service that publishes. A service publishes by
 * inserting one row per reader of the topic, in the transaction of the state change. A row is
 * deleted once its reader has handled it.
 *
 * - `outbox_readers` names the readers: the topic's groups, or the relay where there is Kafka.
 * - `due_at` is when a row may be claimed. A claim moves it forward, and so does the insert of a
 *   process that hands the row over itself (`withBell`): what such a process has not deleted until
 *   then is found by the next look at the table.
 * - `failed_at` and `reason` make a row a dead letter.
 * - `claim_messages` keeps the order of a key: it passes by a key of which an earlier row is being
 *   handled elsewhere. One claim per reader at a time: the lock ends with the transaction, and the
 *   query behind it sees what the claim before it has committed.
 */
export function createOutbox(schema: ServiceName): string {
  const readers = ALL_TOPICS.filter(({ owner }) => owner === schema).flatMap(({ name, groups }) =>
    groups.map((group) => `('${name}', '${group}')`),
  );
  return `
    CREATE TABLE ${schema}.outbox_readers (
      topic text NOT NULL,
      reader text NOT NULL,
      PRIMARY KEY (topic, reader)
    );
    ${readers.length === 0 ? '' : `INSERT INTO ${schema}.outbox_readers VALUES ${readers.join()};`}
    CREATE TABLE ${schema}.outbox (
      position bigint GENERATED ALWAYS AS IDENTITY,
      topic text NOT NULL,
      reader text NOT NULL,
      key text NOT NULL,
      message_id text NOT NULL,
      type text NOT NULL,
      traceparent text,
      occurred_at timestamptz NOT NULL DEFAULT now(),
      payload text NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT now() + CASE
        WHEN current_setting('watchword.outbox', true) = 'silent' THEN interval '10 s'
        ELSE interval '0' END,
      failed_at timestamptz,
      reason text,
      PRIMARY KEY (topic, reader, position)
    ) WITH (
      fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000,
      autovacuum_vacuum_cost_delay = 0
    );
    CREATE INDEX outbox_message_id ON ${schema}.outbox (message_id);

    CREATE FUNCTION ${schema}.claim_messages(
      of_topic text, of_reader text, most integer, held_for interval
    ) RETURNS SETOF ${schema}.outbox LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock(
        hashtextextended('${schema} ' || of_topic || ' ' || of_reader, 0)) THEN
        RETURN;
      END IF;
      -- A claim that is lost with the server is made again.
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN QUERY
      WITH next AS MATERIALIZED (
        SELECT position, key FROM ${schema}.outbox
         WHERE topic = of_topic AND reader = of_reader
           AND failed_at IS NULL AND due_at <= clock_timestamp()
         ORDER BY position LIMIT most FOR UPDATE SKIP LOCKED
      ), held AS (
        SELECT key, min(position) AS position FROM ${schema}.outbox
         WHERE topic = of_topic AND reader = of_reader
           AND failed_at IS NULL AND due_at > clock_timestamp()
           AND position < (SELECT max(position) FROM next)
         GROUP BY key
      ), claimed AS (
        UPDATE ${schema}.outbox AS row SET due_at = clock_timestamp() + held_for
          FROM next LEFT JOIN held ON held.key = next.key AND held.position < next.position
         WHERE row.topic = of_topic AND row.reader = of_reader AND row.position = next.position
           AND held.key IS NULL
        RETURNING row.*
      )
      SELECT * FROM claimed ORDER BY position;
    END $$;
  `;
}
