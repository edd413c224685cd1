import { ALL_TOPICS, type ServiceName } from '@watchword/contracts';

/**
 * The queue table in the schema of every service that publishes. A service publishes by
 * inserting one row per reader of the topic, in the transaction of the state change. A row is
 * deleted once its reader has handled it.
 *
 * - `message_queue_readers` names the readers: the topic's groups, or the relay where there is Kafka.
 * - `due_at` is when a row may be claimed. A claim moves it forward, and so does the insert of a
 *   process that delivers the row itself (`withDue`): rows that such a process has not deleted by
 *   then are found by the next poll.
 * - The trigger notifies readers of a row that is due now. Writes that set `watchword.due` to `now`
 *   notify the readers in their process themselves: notifying transactions commit one at a time.
 * - `failed_at` and `reason` make a row a dead letter.
 * - The relay claims no rows: it deletes them in the transaction in which it publishes them.
 * - `claim_messages` keeps the order of a key: it passes by a key of which an earlier row is being
 *   handled elsewhere. One claim per reader at a time: the lock ends with the transaction, and the
 *   query behind it sees what the claim before it has committed.
 */
export function createMessageQueue(schema: ServiceName): string {
  const readers = ALL_TOPICS.filter(({ owner }) => owner === schema).flatMap(({ name, groups }) =>
    groups.map((group) => `('${name}', '${group}')`),
  );
  return `
    CREATE TABLE ${schema}.message_queue_readers (
      topic text NOT NULL,
      reader text NOT NULL,
      PRIMARY KEY (topic, reader)
    );
    ${readers.length === 0 ? '' : `INSERT INTO ${schema}.message_queue_readers VALUES ${readers.join()};`}
    CREATE TABLE ${schema}.message_queue (
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
        WHEN current_setting('watchword.due', true) = 'later' THEN interval '10 s'
        ELSE interval '0' END,
      failed_at timestamptz,
      reason text,
      PRIMARY KEY (topic, reader, position)
    ) WITH (
      fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
      autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000,
      autovacuum_vacuum_cost_delay = 0
    );
    CREATE INDEX message_queue_message_id ON ${schema}.message_queue (message_id);

    ${functionsOf(schema)}
  `;
}

function functionsOf(schema: ServiceName): string {
  return `
    CREATE FUNCTION ${schema}.notify_readers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('watchword_message_queue', NEW.topic);
      RETURN NULL;
    END $$;
    CREATE TRIGGER notify_readers AFTER INSERT ON ${schema}.message_queue FOR EACH ROW
      WHEN (NEW.due_at <= now() AND current_setting('watchword.due', true) IS DISTINCT FROM 'now')
      EXECUTE FUNCTION ${schema}.notify_readers();

    CREATE FUNCTION ${schema}.claim_messages(
      of_topic text, of_reader text, most integer, held_for interval
    ) RETURNS SETOF ${schema}.message_queue LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT pg_try_advisory_xact_lock(
        hashtextextended('${schema} ' || of_topic || ' ' || of_reader, 0)) THEN
        RETURN;
      END IF;
      -- A claim that is lost with the server is made again.
      PERFORM set_config('synchronous_commit', 'off', true);
      RETURN QUERY
      WITH next AS MATERIALIZED (
        SELECT position, key FROM ${schema}.message_queue
         WHERE topic = of_topic AND reader = of_reader
           AND failed_at IS NULL AND due_at <= clock_timestamp()
         ORDER BY position LIMIT most FOR UPDATE SKIP LOCKED
      ), held AS (
        SELECT key, min(position) AS position FROM ${schema}.message_queue
         WHERE topic = of_topic AND reader = of_reader
           AND failed_at IS NULL AND due_at > clock_timestamp()
           AND position < (SELECT max(position) FROM next)
         GROUP BY key
      ), claimed AS (
        UPDATE ${schema}.message_queue AS row SET due_at = clock_timestamp() + held_for
          FROM next LEFT JOIN held ON held.key = next.key AND held.position < next.position
         WHERE row.topic = of_topic AND row.reader = of_reader AND row.position = next.position
           AND held.key IS NULL
        RETURNING row.*
      )
      SELECT * FROM claimed ORDER BY position;
    END $$;
  `;
}
