-- The tables of dispatch. Functions stand in `.sql` files beside their callers.

-- A message is updated in place three or four times in its life. No column that changes is indexed and half of every
-- page is left free, so that these updates touch no index (HOT). Messages and their attempts go by the month, so that
-- old ones are dropped and not deleted one by one (ADR 59).
CREATE TABLE dispatch.messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  family text NOT NULL,
  test_mode boolean NOT NULL,
  destination text NOT NULL,
  country_code text NOT NULL,
  network text,
  sender_id text,
  -- The sender that the handset shows, of a message without a sender ID that a carrier took.
  shown_sender text,
  -- Deleted after a while.
  body text,
  original_body text,
  rewritten boolean NOT NULL,
  encoding text NOT NULL,
  segments integer NOT NULL,
  credits bigint NOT NULL,
  price_rule text NOT NULL,
  metadata json NOT NULL,
  created_at timestamptz NOT NULL,

  state text NOT NULL,
  version integer NOT NULL,
  provider text,
  provider_message_id text,
  reason text,
  refunded boolean,
  settled_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  verified_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz NOT NULL,

  code_length smallint,
  ttl_seconds integer,
  expires_at timestamptz,
  language text,
  brand text,
  template text,
  max_attempts integer,
  attempt_count integer,
  -- HMAC-SHA256 under a pepper that is not in this database, salted with the id.
  code_hash text,
  -- AES-256-GCM; only while the code has to be, or can be, handed to a provider.
  code_cipher text,
  last_line text,
  resend_max smallint DEFAULT 0,
  -- Null for none, which is nearly all; written as a whole with its message.
  resends json,

  -- The verdict on an SMS, written once: with it, or when its `send_at` has come; null for what was not judged.
  antispam json,
  send_at timestamptz,
  -- The credit price of acceptance, so that a later price does not rewrite its cost.
  price_amount bigint,
  price_currency text,
  -- Null is transactional.
  category text,

  CHECK ((expires_at IS NULL) = (code_hash IS NULL)),
  CONSTRAINT guesses_within_max CHECK (attempt_count <= max_attempts)
) PARTITION BY RANGE (id);

-- The expiry sweep walks along it; neither column ever changes.
CREATE INDEX messages_expires_at ON dispatch.messages (expires_at, id) WHERE expires_at IS NOT NULL;
-- Test messages whose simulated receipts are resumed at start.
CREATE INDEX messages_test_mode ON dispatch.messages (id) WHERE test_mode;
-- For lists of a workspace's messages, newest first. None of its columns ever changes.
CREATE INDEX messages_of_workspace ON dispatch.messages (workspace_id, created_at, id);
-- For operators who look for the messages to a number, and for the last live SMS to a handset that answers STOP or
-- START. None of its columns ever changes.
CREATE INDEX messages_of_destination ON dispatch.messages (destination, test_mode, id);
-- The watched hour is found by time: messages come in the order of their time, so a BRIN index finds it and costs an
-- insert next to nothing.
CREATE INDEX messages_created_at ON dispatch.messages USING brin (created_at)
  WITH (pages_per_range = 16, autosummarize = on);
-- What is usual for one prefix is counted along it, for the kinds that are pumped; none of its columns ever changes.
CREATE INDEX messages_of_prefix
  ON dispatch.messages (workspace_id, substr(destination, 2, 6), created_at)
  WHERE kind IN ('otp') AND NOT test_mode;

-- An attempt is written before a provider is called and completed after. `held_by` names the process that is at it; what
-- a dead process left behind is found by it.
CREATE TABLE dispatch.attempts (
  -- Written in one statement with its message, which is what a foreign key would check, row by row.
  message_id uuid NOT NULL,
  number smallint NOT NULL,
  provider text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  outcome text CHECK (outcome IN ('accepted', 'refused', 'ambiguous')),
  provider_message_id text,
  reason text,
  raw_code text,
  raw_message text,
  late_delivery boolean NOT NULL,
  resend smallint NOT NULL DEFAULT 0,
  -- A receipt can prove later that a carrier took what it never answered; that it was unknown stays on record.
  was_ambiguous boolean NOT NULL DEFAULT false,
  held_by uuid,
  -- The carrier's ids of the parts, and those that are delivered. Null for carriers that report no parts.
  parts json,
  PRIMARY KEY (message_id, number)
) PARTITION BY RANGE (message_id);

-- Not unique: a carrier that gives one id twice must not be able to stop a batch.
CREATE INDEX attempts_provider_message_id ON dispatch.attempts (provider_message_id, provider)
  WHERE provider_message_id IS NOT NULL;
CREATE INDEX attempts_held ON dispatch.attempts (message_id) WHERE held_by IS NOT NULL;
-- Finds submits whose answer was lost, which a receipt may settle.
CREATE INDEX attempts_ambiguous ON dispatch.attempts (started_at) WHERE outcome = 'ambiguous';

-- Finds the message of a report that names a part alone.
CREATE TABLE dispatch.attempt_parts (
  provider_message_id text NOT NULL,
  provider text NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (provider_message_id, provider, message_id)
);
CREATE INDEX attempt_parts_of_message ON dispatch.attempt_parts (message_id);

-- The processes that send, and until when each is certainly alive.
CREATE TABLE dispatch.senders (
  id uuid PRIMARY KEY,
  alive_until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Delivery reports that match nothing yet: they can overtake the answer that brings their id.
CREATE TABLE dispatch.parked_reports (
  report_id text PRIMARY KEY,
  report json NOT NULL,
  checks integer NOT NULL DEFAULT 0,
  check_at timestamptz NOT NULL,
  parked_at timestamptz NOT NULL
);
CREATE INDEX parked_reports_check_at ON dispatch.parked_reports (check_at);

-- Counted verifications by idempotency key, written together with the count.
CREATE TABLE dispatch.idempotency_keys (
  workspace_id uuid NOT NULL,
  scope text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  answer json,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, key, scope)
);
CREATE INDEX idempotency_keys_created_at ON dispatch.idempotency_keys (created_at);

-- How many wrong codes in a row were tried on a number, over all its codes; see `guess-cap.policy.ts`.
CREATE TABLE dispatch.guessed_numbers (
  workspace_id uuid NOT NULL,
  destination text NOT NULL,
  wrong_count integer NOT NULL DEFAULT 0,
  last_wrong_at timestamptz,
  PRIMARY KEY (workspace_id, destination)
) WITH (fillfactor = 70);

-- How far a periodic job got, so that it resumes there after a stop.
CREATE TABLE dispatch.progress (
  job text PRIMARY KEY,
  reached timestamptz NOT NULL
);

-- The commands of messages that wait for their `send_at`. It is written with the message. The sweep deletes a row after
-- its message is no longer `scheduled`.
CREATE TABLE dispatch.scheduled_messages (
  message_id uuid PRIMARY KEY,
  send_at timestamptz NOT NULL,
  command json NOT NULL
);
CREATE INDEX scheduled_messages_send_at ON dispatch.scheduled_messages (send_at, message_id);

-- A transaction that changes a restriction locks this row, so that versions are given out in the order in which changes
-- become visible, and one process at a time makes a check.
CREATE TABLE dispatch.prefix_guard (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version bigint NOT NULL DEFAULT 1,
  checked_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO dispatch.prefix_guard DEFAULT VALUES;

CREATE TABLE dispatch.prefix_records (
  workspace_id uuid NOT NULL,
  prefix text NOT NULL,
  state text NOT NULL CHECK (state IN ('throttled', 'blocked', 'lifted')),
  first_flagged_at timestamptz NOT NULL,
  since timestamptz NOT NULL,
  ends_at timestamptz,
  otp_count integer NOT NULL,
  verified_count integer NOT NULL,
  lifted_at timestamptz,
  PRIMARY KEY (workspace_id, prefix),
  CHECK ((state = 'throttled') = (ends_at IS NOT NULL)),
  CHECK (state <> 'lifted' OR lifted_at IS NOT NULL)
);
CREATE INDEX prefix_records_in_force ON dispatch.prefix_records (state, ends_at)
  WHERE state <> 'lifted';

-- What operators decided about carrier accounts; an account without a row is active, preferred nowhere.
CREATE TABLE dispatch.carrier_choices (
  id text PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('active', 'drained')),
  preferred_in text[] NOT NULL
);

-- The networks of ported numbers, as the last delivery reports named them; see ADR 26.
CREATE TABLE dispatch.number_networks (
  destination text PRIMARY KEY,
  network text NOT NULL,
  learned_at timestamptz NOT NULL
);
CREATE INDEX number_networks_age ON dispatch.number_networks (learned_at);

-- What the gateway announced of a workspace last. The lists and settings are null where the workspace has none, or never
-- changed any.
CREATE TABLE dispatch.workspace_standings (
  workspace_id uuid PRIMARY KEY,
  suspended boolean NOT NULL,
  -- Of the event; an older event changes nothing.
  changed_at timestamptz NOT NULL,
  -- The countries that the workspace may send to.
  enforced_countries json,
  -- Sender IDs that need no registration.
  shared_sender_ids json,
  anti_spam text,
  anti_spam_allow json,
  quiet_hours text
);

-- The commands that wait until a suspension ends.
CREATE TABLE dispatch.held_commands (
  message_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  command text NOT NULL,
  -- A one-time password is released when it expires, so that it fails and is refunded.
  expires_at timestamptz
);
CREATE INDEX held_commands_of_workspace ON dispatch.held_commands (workspace_id, message_id);
CREATE INDEX held_commands_by_expiry ON dispatch.held_commands (expires_at)
  WHERE expires_at IS NOT NULL;

-- Texts with placeholders. Few rows for each workspace, read by id or slug.
CREATE TABLE dispatch.templates (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  body text NOT NULL,
  variables text[] NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (workspace_id, slug)
);
CREATE INDEX templates_of_workspace ON dispatch.templates (workspace_id, id DESC);

-- Sender IDs that workspaces asked for, and what each country decided.
CREATE TABLE dispatch.sender_ids (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  sender_id text NOT NULL,
  registered_entity text NOT NULL,
  registration_doc_url text,
  use_case text NOT NULL,
  sample_message text NOT NULL,
  notes text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The form in which sender IDs are compared, so that "Acme.", "A-cme" and "Acme" are one.
  folded text NOT NULL
);
CREATE INDEX sender_ids_folded ON dispatch.sender_ids (workspace_id, folded);

CREATE TABLE dispatch.sender_reviews (
  sender_row_id uuid NOT NULL REFERENCES dispatch.sender_ids ON DELETE CASCADE,
  country text NOT NULL,
  status text NOT NULL
    CHECK (status IN ('pending', 'approved', 'active', 'suspended', 'rejected')),
  rejection_reason text,
  dnd_whitelisted boolean NOT NULL,
  reviewed_at timestamptz,
  -- Where the country stands in the request.
  place smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (sender_row_id, country)
);

-- The countries' rules of senders once an operator has replaced the default ones.
CREATE TABLE dispatch.sender_rules (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  rules json NOT NULL
);

-- A registry of a country: uploaded (`list`), or learned from a carrier's refusal and forgotten after `expires_at`.
CREATE TABLE dispatch.dnd_numbers (
  destination text NOT NULL,
  origin text NOT NULL CHECK (origin IN ('list', 'learned')),
  country_code text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (destination, origin)
);
CREATE INDEX dnd_numbers_of_list ON dispatch.dnd_numbers (country_code) WHERE origin = 'list';
CREATE INDEX dnd_numbers_expiry ON dispatch.dnd_numbers (expires_at) WHERE origin = 'learned';

-- A list while its parts arrive.
CREATE TABLE dispatch.dnd_uploads (
  upload_id uuid NOT NULL,
  destination text NOT NULL,
  country_code text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (upload_id, destination)
);

-- One for each workspace and sender ID; an empty sender ID stands for a message without one.
CREATE TABLE dispatch.opt_outs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  destination text NOT NULL,
  sender_id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- As in `sender_ids`.
  folded text NOT NULL
);
CREATE INDEX opt_outs_of_workspace ON dispatch.opt_outs (workspace_id, created_at DESC, id DESC);
-- START asks by number alone, so the number comes first.
CREATE UNIQUE INDEX opt_outs_folded ON dispatch.opt_outs (destination, folded, workspace_id);

-- Emails beside messages: an email has many recipients, each with a life of its own.
CREATE TABLE dispatch.emails (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  test_mode boolean NOT NULL,
  version integer NOT NULL,
  -- SendMessage as billing accepted it.
  command json NOT NULL,
  from_address text NOT NULL,
  -- Lower-cased, for lists.
  to_addresses text[] NOT NULL,
  tags text[] NOT NULL,
  content_sha256 text NOT NULL,
  -- As the public sees it.
  status text NOT NULL,
  created_at timestamptz NOT NULL,
  send_at timestamptz,
  queued_at timestamptz,
  updated_at timestamptz NOT NULL,
  refunded boolean,
  settled_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX emails_listed ON dispatch.emails (workspace_id, created_at DESC, id DESC);
CREATE INDEX emails_content ON dispatch.emails (workspace_id, content_sha256, created_at);
-- Finds the emails of an hour that ended, as that of messages.
CREATE INDEX emails_created_at ON dispatch.emails USING brin (created_at)
  WITH (pages_per_range = 16, autosummarize = on);

-- Keyed by hash, so texts and attachments that a workspace sends often are stored once. `holds` counts the sends that
-- stored a content and were not refused since. A refused send gives its hold back, and the last one takes the content
-- along.
CREATE TABLE dispatch.email_contents (
  workspace_id uuid NOT NULL,
  sha256 text NOT NULL,
  -- AES-256-GCM over the JSON of EmailContent.
  content_cipher bytea STORAGE EXTERNAL NOT NULL,
  -- When it was last stored: a send within a day refers to it.
  stored_at timestamptz NOT NULL,
  test_mode boolean NOT NULL DEFAULT false,
  holds integer NOT NULL DEFAULT 1,
  PRIMARY KEY (workspace_id, sha256)
);
CREATE INDEX email_contents_stored_at ON dispatch.email_contents (stored_at);

-- The bytes of a workspace's contents by mode, so that a bound needs no sum. A content that both modes store is a live
-- one.
CREATE TABLE dispatch.stored_bytes (
  workspace_id uuid NOT NULL,
  test_mode boolean NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (workspace_id, test_mode)
) WITH (fillfactor = 70);

CREATE TABLE dispatch.email_recipients (
  email_id uuid NOT NULL,
  number smallint NOT NULL,
  address text NOT NULL,
  state text NOT NULL CHECK (state IN
    ('queued', 'sent', 'delivered', 'bounced', 'complained', 'failed', 'cancelled')),
  -- Set when something is to be done by itself: the one index that a recipient's life touches.
  due_at timestamptz,
  deferrals smallint NOT NULL,
  step smallint NOT NULL,
  bounce json,
  reason text,
  failure_announced boolean NOT NULL,
  delayed_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  ended_at timestamptz,
  complained_at timestamptz,
  opened_at timestamptz,
  clicked_at timestamptz,
  -- When an unsubscribe was announced, which happens once.
  unsubscribed_at timestamptz,
  -- Events of opens and clicks that the recipient has had, so that they end.
  opens_announced smallint NOT NULL DEFAULT 0,
  clicks_announced smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (email_id, number),
  CHECK ((state = 'bounced') = (bounce IS NOT NULL)),
  CHECK ((state = 'failed') = (reason IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX email_recipients_due ON dispatch.email_recipients (due_at, email_id)
  WHERE due_at IS NOT NULL;

-- Written before a provider is called and completed after; `held_by` names the process that is at it.
CREATE TABLE dispatch.email_attempts (
  email_id uuid NOT NULL,
  recipient smallint NOT NULL,
  number smallint NOT NULL,
  round smallint NOT NULL,
  provider text NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  outcome text CHECK (outcome IN
    ('accepted', 'bounced', 'deferred', 'rejected', 'refused', 'ambiguous')),
  -- Stays true when a late answer settles the ambiguity.
  was_ambiguous boolean NOT NULL,
  provider_message_id text,
  raw_code text,
  raw_message text,
  held_by uuid,
  -- Null where the attempt was not refused.
  is_temporary boolean,
  PRIMARY KEY (email_id, recipient, number),
  CHECK ((outcome IS NULL) = (held_by IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX email_attempts_held ON dispatch.email_attempts (held_by, email_id)
  WHERE held_by IS NOT NULL;

-- Reports that were taken: one that comes again changes nothing.
CREATE TABLE dispatch.email_reports (
  report_id text PRIMARY KEY,
  email_id uuid NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX email_reports_received_at ON dispatch.email_reports (received_at);

-- Domains that workspaces send email from. A row whose `next_check_at` has passed is looked up again; failed domains for
-- 30 days after the 72 hours of grace.
CREATE TABLE dispatch.email_domains (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  selector text NOT NULL,
  public_key text NOT NULL,
  -- Encrypted.
  private_key bytea NOT NULL,
  status text NOT NULL
    CHECK (status IN ('pending', 'verified', 'temporary_failure', 'failed')),
  record_states jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  last_checked_at timestamptz,
  failing_since timestamptz,
  next_check_at timestamptz,
  UNIQUE (workspace_id, name)
);
CREATE INDEX email_domains_of_workspace ON dispatch.email_domains (workspace_id, id DESC);
CREATE INDEX email_domains_to_check ON dispatch.email_domains (next_check_at)
  WHERE next_check_at IS NOT NULL;
-- Proxies ask for link hosts by the name of the domain.
CREATE INDEX email_domains_of_name ON dispatch.email_domains (name);

-- Addresses that a workspace does not send to, in lower case, one row for each scope.
CREATE TABLE dispatch.email_suppressions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  address text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('all', 'marketing')),
  origin text NOT NULL CHECK (origin IN ('manual', 'bounce', 'complaint', 'unsubscribe')),
  created_at timestamptz NOT NULL,
  UNIQUE (workspace_id, address, scope)
);
CREATE INDEX email_suppressions_of_workspace
  ON dispatch.email_suppressions (workspace_id, created_at DESC, id DESC);

-- What was sent in an hour that has ended, by what the overview groups by; see `count-usage.sql`. It outlives the
-- messages. Empty texts stand for an unknown country, network or carrier. Not unique, because rows are only ever
-- replaced by the hour.
CREATE TABLE dispatch.hourly_usage (
  workspace_id uuid NOT NULL,
  test_mode boolean NOT NULL,
  hour timestamptz NOT NULL,
  channel text NOT NULL,
  country text NOT NULL,
  network text NOT NULL,
  carrier text NOT NULL,
  sends bigint NOT NULL,
  sent bigint NOT NULL,
  delivered bigint NOT NULL,
  attempted bigint NOT NULL,
  verified bigint NOT NULL,
  expired bigint NOT NULL,
  failed bigint NOT NULL,
  cancelled bigint NOT NULL,
  undelivered bigint NOT NULL,
  charged_credits bigint NOT NULL,
  refunded_credits bigint NOT NULL,
  -- A histogram of the times to delivery: the steps that occur, and how often each did.
  time_steps smallint[] NOT NULL,
  time_counts bigint[] NOT NULL
);
CREATE INDEX hourly_usage_of_workspace ON dispatch.hourly_usage (workspace_id, hour);

-- The sums of the days in UTC that have ended, so that an overview of months reads few rows. A day that is not here is
-- read from its hours.
CREATE TABLE dispatch.daily_usage (LIKE dispatch.hourly_usage);
ALTER TABLE dispatch.daily_usage RENAME COLUMN hour TO day;
CREATE INDEX daily_usage_of_workspace ON dispatch.daily_usage (workspace_id, day);

-- Hours whose messages changed after their end: the overview counts their messages until their roll-up is made again.
-- An hour can stand here many times: a change that commits later needs a row of its own.
CREATE TABLE dispatch.changed_hours (
  workspace_id uuid NOT NULL,
  hour timestamptz NOT NULL
);
CREATE INDEX changed_hours_of_workspace ON dispatch.changed_hours (workspace_id, hour);

-- Of the secrets that the data was written with.
CREATE TABLE dispatch.secret_fingerprints (
  name text NOT NULL,
  fingerprint text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, fingerprint)
);
