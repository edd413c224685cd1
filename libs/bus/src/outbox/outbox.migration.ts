/**
 * The outbox: an append-only table in the schema of every service that publishes. A service
 * publishes by inserting into it in its own transactions. The embedded bus, or the relay to Kafka,
 * reads the table as a log; see `outbox-reader.ts`.
 *
 * - `xid` is the transaction that wrote the row. Positions are assigned before transactions commit,
 *   so a reader that used positions alone would skip the rows of a slow transaction. Readers use
 *   `(xid, position)` and stop before the oldest running transaction.
 * - The primary key is the only index and serves the readers: a row costs one insert at the right
 *   edge of its topic's range. Rows are never updated; they are deleted in bulk, oldest first.
 * - `outbox_offsets` holds the relay's offset of each topic; see `outbox-relay.ts`. The embedded
 *   bus keeps its groups' offsets in its own schema.
 * - The trigger wakes the readers at commit: once per transaction and topic, regardless of the
 *   number of rows, and not for transactions that hand their rows over themselves. See
 *   `hand-over.port.ts`.
 */
export function createOutbox(schema: string): string {
  if (!/^[a-z][a-z_]*$/.test(schema)) throw new Error(`${schema} is not the name of a schema`);
  return `
    CREATE TABLE ${schema}.outbox (
      position bigint GENERATED ALWAYS AS IDENTITY,
      xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
      topic text NOT NULL,
      key text NOT NULL,
      message_id text NOT NULL,
      type text NOT NULL,
      traceparent text,
      occurred_at timestamptz NOT NULL DEFAULT now(),
      payload text NOT NULL,
      PRIMARY KEY (topic, xid, position)
    ) WITH (fillfactor = 100);

    CREATE TABLE ${schema}.outbox_offsets (
      topic text PRIMARY KEY,
      xid xid8 NOT NULL DEFAULT '0',
      position bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50);

    CREATE FUNCTION ${schema}.wake_outbox_readers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('${outboxChannel(schema)}', topic)
        FROM (SELECT DISTINCT topic FROM inserted) AS written;
      RETURN NULL;
    END $$;

    CREATE TRIGGER wake_readers AFTER INSERT ON ${schema}.outbox
      REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT
      WHEN (current_setting('watchword.outbox', true) IS DISTINCT FROM 'silent')
      EXECUTE FUNCTION ${schema}.wake_outbox_readers();
  `;
}

/** Returns the channel that readers LISTEN to. The payload of a notification is a topic's name. */
export function outboxChannel(schema: string): string {
  return `outbox_${schema}`;
}
