/**
 * An event has a body for each variant that knows it. `family` says whose envelope lists show, `test_mode` is
 * null for events of the workspace itself. Samples that `POST /v1/webhooks/{id}/test` sends have the number 0.
 */
export const eventsOfBothVariants = `
  ALTER TABLE webhooks.events
    ALTER COLUMN variant_a_type DROP NOT NULL,
    ALTER COLUMN variant_a_body DROP NOT NULL,
    ADD COLUMN variant_b_type text,
    ADD COLUMN variant_b_body text,
    ADD COLUMN family text NOT NULL DEFAULT 'a' CHECK (family IN ('a', 'b')),
    ADD COLUMN test_mode boolean,
    DROP CONSTRAINT events_workspace_id_sequence_key;

  CREATE UNIQUE INDEX numbered_events ON webhooks.events (workspace_id, sequence)
    WHERE sequence > 0;
`;

/**
 * `pace` is how the endpoint answered last: deliveries to a slow one wait apart, also after a restart. Null
 * is unknown. `closing` stands while pending deliveries of a disabled or deleted endpoint are being failed, and
 * `notice_event_id` until the workspace's event about its disabling is numbered.
 */
export const endpointsOfVariantB = `
  ALTER TABLE webhooks.endpoints
    ADD COLUMN description text,
    ADD COLUMN disabled_reason text,
    ADD COLUMN pace text CHECK (pace IN ('fast', 'slow')),
    ADD COLUMN closing boolean NOT NULL DEFAULT false,
    ADD COLUMN notice_event_id text;

  CREATE INDEX closing_endpoints ON webhooks.endpoints (id) WHERE closing;
  CREATE INDEX endpoints_to_announce ON webhooks.endpoints (id) WHERE notice_event_id IS NOT NULL;

  ALTER TABLE webhooks.deliveries ADD COLUMN replay_of uuid;
  CREATE INDEX deliveries_of_endpoints ON webhooks.deliveries (endpoint_id, id);
`;

/**
 * A recovery is the list of events to deliver again, fixed when it is asked for. Items leave the list in the
 * transaction that makes their deliveries.
 */
export const recoveryTables = `
  CREATE TABLE webhooks.recoveries (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    since timestamptz NOT NULL,
    status text NOT NULL CHECK (status IN ('running', 'done')),
    total integer NOT NULL,
    done integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL
  );

  CREATE UNIQUE INDEX one_recovery_at_a_time ON webhooks.recoveries (endpoint_id)
    WHERE status = 'running';

  CREATE TABLE webhooks.recovery_items (
    recovery_id uuid NOT NULL,
    event_id text NOT NULL,
    replay_of uuid,
    PRIMARY KEY (recovery_id, event_id)
  );
`;

/** The stored answer is encrypted, because it may hold a secret. */
export const idempotencyTable = `
  CREATE TABLE webhooks.idempotency_keys (
    workspace_id uuid NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, scope, key)
  );

  CREATE INDEX old_idempotency_keys ON webhooks.idempotency_keys (created_at);
`;
