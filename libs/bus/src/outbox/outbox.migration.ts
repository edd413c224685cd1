/**
 * The outbox: one append-only table in the schema of every service that publishes. The service
 * inserts into it in its own transactions, and has then published. The carrier of
 * the messages (the embedded bus, or a relay to Kafka) reads the table as a log; see
 * `outbox-reader.ts`.
 *
 * - `xid` is the transaction that wrote the row. Positions are given out before transactions
 *   commit, so a reader that went by position alone would skip the rows of a slow transaction.
 *   Readers go by `(xid, position)` and stop before the oldest transaction that still runs.
 * - The primary key is the readers' index and the only one: a row costs one insert at the right
 *   edge of its topic's range. Rows are never updated; they leave in bulk, oldest first.
 * - `outbox_offsets` says how far the relay to Kafka has carried each topic; see `outbox-relay.ts`.
 *   The embedded bus keeps its groups' offsets in its own schema.
 * - The trigger wakes the readers at commit: once per transaction and topic, however many rows.
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
      FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.wake_outbox_readers();
  `;
}

/** What the readers LISTEN to; the payload of a notification is the name of a topic. */
export function outboxChannel(schema: string): string {
  return `outbox_${schema}`;
}
