/**
 * `variant` is the envelope an endpoint speaks. A workspace has at most one endpoint of variant A, its own.
 * `version` counts the changes: a process compares it to see whether its copy is current. Deleted
 * endpoints keep their row, because deliveries refer to it, and lose their secrets.
 */
export const endpointTables = `
  CREATE TABLE webhooks.endpoints (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    variant text NOT NULL CHECK (variant IN ('a', 'b')),
    url text NOT NULL,
    events text[],
    status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
    secret bytea,
    previous_secret bytea,
    previous_expires_at timestamptz,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CONSTRAINT living_endpoint_has_a_secret CHECK (deleted_at IS NOT NULL OR secret IS NOT NULL),
    CONSTRAINT previous_secret_expires
      CHECK ((previous_secret IS NULL) = (previous_expires_at IS NULL))
  );

  CREATE INDEX living_endpoints ON webhooks.endpoints (workspace_id) WHERE deleted_at IS NULL;
  CREATE UNIQUE INDEX one_own_endpoint_per_workspace ON webhooks.endpoints (workspace_id)
    WHERE variant = 'a' AND deleted_at IS NULL;
`;

/**
 * One occurrence is one row in `events`, also without a subscriber, with the next number of its workspace. The
 * body is stored as the bytes that are sent, so that every attempt sends the same,
 * also after an upgrade.
 */
export const eventTables = `
  CREATE TABLE webhooks.sequences (
    workspace_id uuid PRIMARY KEY,
    last_sequence bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);

  CREATE TABLE webhooks.events (
    id text PRIMARY KEY,
    workspace_id uuid NOT NULL,
    sequence bigint NOT NULL,
    variant_a_type text NOT NULL,
    variant_a_body text NOT NULL,
    occurred_at timestamptz NOT NULL,
    UNIQUE (workspace_id, sequence)
  );
`;

/**
 * One row per event and endpoint. `next_attempt_at` is what the schedule says; `due_at` is when a process
 * may take the delivery: the same, or the end of its present lease. Both are null once the
 * delivery is decided, which also takes it out of the index by which work is found. That index starts
 * with the endpoint, so that a million rows waiting for one endpoint are in nobody else's way.
 *
 * `attempt_count` is the fence: a result counts only as the next attempt of the delivery it was made for.
 */
export const deliveryTables = `
  CREATE TABLE webhooks.deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    event_id text NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    attempt_count smallint NOT NULL,
    next_attempt_at timestamptz,
    due_at timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT only_pending_is_due CHECK (
      (status = 'pending') = (due_at IS NOT NULL)
      AND (status = 'pending') = (next_attempt_at IS NOT NULL)
    )
  ) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
  );

  CREATE INDEX due_deliveries ON webhooks.deliveries (endpoint_id, due_at)
    WHERE due_at IS NOT NULL;

  CREATE TABLE webhooks.delivery_attempts (
    delivery_id uuid NOT NULL,
    number smallint NOT NULL,
    attempted_at timestamptz NOT NULL,
    status_code smallint,
    latency_ms integer NOT NULL,
    response_body text,
    error text,
    PRIMARY KEY (delivery_id, number)
  );

  -- UUIDv7 of a moment: ids made here sort by time like all others.
  CREATE FUNCTION webhooks.new_id(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE
  RETURN encode(
    set_bit(set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6
      ), 52, 1), 53, 1),
    'hex')::uuid;
`;
