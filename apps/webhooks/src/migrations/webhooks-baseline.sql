-- The tables of webhooks. Functions that can be replaced stand in `.sql` files beside their callers.

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

-- `variant` is the envelope an endpoint speaks. A workspace has at most one endpoint of variant A, its own. `version`
-- counts the changes: a process compares it to see whether its copy is current. Deleted endpoints keep their row, because
-- deliveries refer to it, and lose their secrets.
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
  -- Since when it has been failing, and how often since; any success, or a change, ends it.
  failing_since timestamptz,
  failure_count integer NOT NULL DEFAULT 0,
  description text,
  disabled_reason text,
  -- How it answered last: deliveries to a slow one wait apart, also after a restart. Null is unknown.
  pace text CHECK (pace IN ('fast', 'slow')),
  -- Pending deliveries of a disabled or deleted endpoint are being failed.
  closing boolean NOT NULL DEFAULT false,
  -- Until the workspace's event about its disabling is numbered.
  notice_event_id text,
  -- It belongs to a trial workspace, whose deliveries have bounds of their own.
  trial boolean NOT NULL DEFAULT false,
  -- Its host has not answered a test event with 2xx yet. Deliveries to it wait: they are due at infinity.
  untested boolean NOT NULL DEFAULT false,
  CONSTRAINT living_endpoint_has_a_secret CHECK (deleted_at IS NOT NULL OR secret IS NOT NULL),
  CONSTRAINT previous_secret_expires
    CHECK ((previous_secret IS NULL) = (previous_expires_at IS NULL))
);
CREATE INDEX living_endpoints ON webhooks.endpoints (workspace_id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX one_own_endpoint_per_workspace ON webhooks.endpoints (workspace_id)
  WHERE variant = 'a' AND deleted_at IS NULL;
CREATE INDEX closing_endpoints ON webhooks.endpoints (id) WHERE closing;
CREATE INDEX endpoints_to_announce ON webhooks.endpoints (id) WHERE notice_event_id IS NOT NULL;

CREATE TABLE webhooks.sequences (
  workspace_id uuid PRIMARY KEY,
  last_sequence bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- One occurrence is one row, also without a subscriber, with the next number of its workspace. The body is stored as the
-- bytes that are sent, so that every attempt sends the same, and it has one for each variant that knows it. `family` says
-- whose envelope lists show, `test_mode` is null for events of the workspace itself. Samples that
-- `POST /v1/webhooks/{id}/test` sends have the number 0.
CREATE TABLE webhooks.events (
  id text PRIMARY KEY,
  workspace_id uuid NOT NULL,
  sequence bigint NOT NULL,
  variant_a_type text,
  variant_a_body text,
  occurred_at timestamptz NOT NULL,
  variant_b_type text,
  variant_b_body text,
  family text NOT NULL DEFAULT 'a' CHECK (family IN ('a', 'b')),
  test_mode boolean,
  -- Null for events of the workspace itself.
  message_id uuid
);
CREATE INDEX events_of_message ON webhooks.events (message_id) WHERE message_id IS NOT NULL;
CREATE UNIQUE INDEX numbered_events ON webhooks.events (workspace_id, sequence) WHERE sequence > 0;

-- One row per event and endpoint. `next_attempt_at` is what the schedule says; `due_at` is when a process may take the
-- delivery: the same, or the end of its present lease. Both are null once the delivery is decided, which also takes it
-- out of the index by which work is found. That index starts with the endpoint, so that a million rows waiting for one
-- endpoint are in nobody else's way.
--
-- `attempt_count` is the fence: a result counts only as the next attempt of the delivery it was made for.
--
-- Deliveries and their attempts go by the week, so that old ones are dropped and not deleted one by one (ADR 59).
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
  replay_of uuid,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT only_pending_is_due CHECK (
    (status = 'pending') = (due_at IS NOT NULL)
    AND (status = 'pending') = (next_attempt_at IS NOT NULL)
  )
) PARTITION BY RANGE (id);
CREATE INDEX due_deliveries ON webhooks.deliveries (endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_of_endpoints ON webhooks.deliveries (endpoint_id, id);
CREATE INDEX deliveries_of_events ON webhooks.deliveries (event_id);

CREATE TABLE webhooks.delivery_attempts (
  delivery_id uuid NOT NULL,
  number smallint NOT NULL,
  attempted_at timestamptz NOT NULL,
  status_code smallint,
  latency_ms integer NOT NULL,
  response_body text,
  error text,
  PRIMARY KEY (delivery_id, number)
) PARTITION BY RANGE (delivery_id);

-- A recovery is the list of events to deliver again, fixed when it is asked for. Items leave the list in the transaction
-- that makes their deliveries.
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

-- A silence is a time in which an endpoint was disabled, as numbers of its workspace's events, with the events that it
-- would have heard. `last_sequence` is null while it lasts. Recoveries read silences.
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

-- A trigger writes silences, so that no change of an endpoint is missed. The end of a silence waits for the fan-out that
-- is under way, and the next one sees the changed endpoint. The beginning does not wait: an event that is numbered
-- meanwhile has a delivery, which decides about it.
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

-- The stored answer is encrypted, because it may hold a secret.
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

-- The processes that deliver, so that each takes its share of a bound. An idle one writes nothing.
CREATE TABLE webhooks.replicas (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

-- Of the secrets that the data was written with.
CREATE TABLE webhooks.secret_fingerprints (
  name text NOT NULL,
  fingerprint text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, fingerprint)
);
