-- The tables of the gateway: workspaces, keys, people, settings and audit.

-- Gateways keep settings of the installation, and keys with their workspaces, in memory. Each turn of requests reads
-- these versions, which every change raises, and a gateway with another version reads again what changed.
CREATE TABLE gateway.settings_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version bigint NOT NULL,
  key_version bigint NOT NULL,
  keys_raised_by xid8 NOT NULL
);
INSERT INTO gateway.settings_version (version, key_version, keys_raised_by) VALUES (0, 0, '0');

CREATE FUNCTION gateway.raise_settings_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gateway.settings_version SET version = version + 1;
  RETURN NULL;
END $$;

-- Once for each transaction, at its end: a transaction that waits for this row holds all other locks already.
CREATE FUNCTION gateway.raise_key_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE gateway.settings_version SET key_version = key_version + 1, keys_raised_by = pg_current_xact_id()
  WHERE keys_raised_by <> pg_current_xact_id();
  RETURN NULL;
END $$;

CREATE TABLE gateway.workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  billing_country char(2) NOT NULL,
  -- Only what was changed; defaults are the program's.
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  -- How it was created, see ADR 24.
  origin text NOT NULL DEFAULT 'operator' CHECK (origin IN ('operator', 'sign_up')),
  -- Trial credits that the workspace gets once an operator confirms it.
  trial_credits_pending integer NOT NULL DEFAULT 0 CHECK (trial_credits_pending >= 0),
  confirmed_at timestamptz,
  suspended_at timestamptz,
  suspension_reason text,
  -- What an operator sets of some settings is a floor for the owner.
  setting_floors jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT suspension_has_a_reason CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL))
);
CREATE CONSTRAINT TRIGGER raise_key_version AFTER UPDATE OR DELETE ON gateway.workspaces
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gateway.raise_key_version();

CREATE TABLE gateway.users (
  id uuid PRIMARY KEY,
  -- In lower case: nobody has two accounts that differ in capitals only.
  email text NOT NULL UNIQUE CHECK (email = lower(email COLLATE "C")),
  name text NOT NULL,
  -- Argon2id, with its parameters and its salt.
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  email_confirmed_at timestamptz,
  -- Null for who is no operator of the platform. See ADR 24.
  operator_since timestamptz
);

CREATE TABLE gateway.memberships (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES gateway.workspaces (id),
  user_id uuid NOT NULL REFERENCES gateway.users (id),
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- True for the user whose sign-up created the workspace.
  founded boolean NOT NULL DEFAULT false,
  UNIQUE (user_id, workspace_id)
);
CREATE INDEX memberships_of_workspace ON gateway.memberships (workspace_id, id);

CREATE TABLE gateway.sessions (
  -- SHA-256 of the token, which only the browser has.
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  membership_id uuid NOT NULL REFERENCES gateway.memberships (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_end ON gateway.sessions (expires_at);
CREATE INDEX sessions_of_membership ON gateway.sessions (membership_id);

-- An invitation by an operator names no workspace: it lets one address create its own.
CREATE TABLE gateway.invitations (
  id uuid NOT NULL,
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  workspace_id uuid REFERENCES gateway.workspaces (id),
  email text NOT NULL CHECK (email = lower(email COLLATE "C")),
  role text NOT NULL CHECK (role IN ('owner', 'member')),
  invited_by uuid REFERENCES gateway.users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  CONSTRAINT members_invite_to_their_workspace CHECK ((workspace_id IS NULL) = (invited_by IS NULL))
);
CREATE UNIQUE INDEX invitations_by_id ON gateway.invitations (id);
-- An address has one open invitation to a workspace.
CREATE UNIQUE INDEX open_invitations ON gateway.invitations (workspace_id, email)
  WHERE accepted_at IS NULL;

-- Browsers that logged in before. Each has its own limit on failures.
CREATE TABLE gateway.devices (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES gateway.users (id),
  created_at timestamptz NOT NULL
);
CREATE INDEX devices_of_user ON gateway.devices (user_id, created_at);

-- One open reset per user, which an operator hands out; a new one replaces it.
CREATE TABLE gateway.password_resets (
  user_id uuid PRIMARY KEY REFERENCES gateway.users (id),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Resets sent by email stand beside it: at most three living ones per user; a new one replaces none. See ADR 38.
CREATE TABLE gateway.emailed_password_resets (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  user_id uuid NOT NULL REFERENCES gateway.users (id),
  expires_at timestamptz NOT NULL
);
CREATE INDEX emailed_password_resets_of_user ON gateway.emailed_password_resets (user_id);

-- One open confirmation per user; a new one replaces it.
CREATE TABLE gateway.email_confirmations (
  user_id uuid PRIMARY KEY REFERENCES gateway.users (id),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  expires_at timestamptz NOT NULL
);

-- Emails that were asked for. A row goes in the transaction that writes the token and the command.
CREATE TABLE gateway.email_requests (
  id uuid PRIMARY KEY,
  purpose text NOT NULL
    CHECK (purpose IN ('password_reset', 'email_confirmation', 'saved_card_deleted')),
  -- As it was asked for; the address may have no account.
  email text NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'fr')),
  asked_at timestamptz NOT NULL,
  -- When a process looks at it next; moved ahead by the process that does.
  due_at timestamptz NOT NULL
);
CREATE INDEX email_requests_by_due ON gateway.email_requests (due_at);

CREATE TABLE gateway.api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES gateway.workspaces (id),
  -- SHA-256 of the token, which is shown once and kept nowhere.
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  mode text NOT NULL CHECK (mode IN ('live', 'test')),
  permission text NOT NULL CHECK (permission IN ('full', 'sending', 'otp', 'agent')),
  name text NOT NULL,
  prefix text NOT NULL,
  last4 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- Credits of one UTC day; null is no budget. See ADR 21.
  daily_budget_credits bigint CHECK (daily_budget_credits >= 0),
  -- Null is every country that the workspace may send to.
  countries text[] CHECK (cardinality(countries) > 0),
  -- Null for keys of operators.
  created_by uuid REFERENCES gateway.users (id),
  CONSTRAINT only_agent_keys_are_bounded CHECK (
    permission = 'agent' OR (daily_budget_credits IS NULL AND countries IS NULL))
);
CREATE INDEX api_keys_of_workspace ON gateway.api_keys (workspace_id, id);
CREATE CONSTRAINT TRIGGER raise_key_version AFTER UPDATE OR DELETE ON gateway.api_keys
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gateway.raise_key_version();

-- Programs that wait for a member to confirm them. The key itself is made when it is handed out.
CREATE TABLE gateway.device_log_ins (
  -- SHA-256 of the device code, which only the program has.
  device_code_hash bytea PRIMARY KEY CHECK (octet_length(device_code_hash) = 32),
  user_code text NOT NULL UNIQUE CHECK (user_code ~ '^[B-Z]{8}$'),
  client_name text NOT NULL,
  client_ip text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  polled_at timestamptz,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'denied')),
  workspace_id uuid REFERENCES gateway.workspaces (id),
  user_id uuid REFERENCES gateway.users (id),
  mode text CHECK (mode IN ('live', 'test')),
  permission text CHECK (permission IN ('full', 'sending', 'otp', 'agent')),
  CONSTRAINT an_approval_is_whole CHECK (
    status <> 'approved' OR num_nonnulls(workspace_id, user_id, mode, permission) = 4)
);
CREATE INDEX device_log_ins_by_end ON gateway.device_log_ins (expires_at);

CREATE TABLE gateway.platform_settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  settings jsonb NOT NULL DEFAULT '{}'
);
CREATE TRIGGER raise_version AFTER INSERT OR UPDATE ON gateway.platform_settings
  FOR EACH ROW EXECUTE FUNCTION gateway.raise_settings_version();

CREATE TABLE gateway.protected_sender_ids (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  names text[] NOT NULL
);
CREATE TRIGGER raise_version AFTER INSERT OR UPDATE ON gateway.protected_sender_ids
  FOR EACH ROW EXECUTE FUNCTION gateway.raise_settings_version();

-- Written before a call of an operator or a user takes effect, completed after it.
CREATE TABLE gateway.audit_records (
  id uuid PRIMARY KEY,
  request_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  client_ip text NOT NULL,
  status integer,
  effect jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,
  actor text NOT NULL DEFAULT 'operator' CHECK (actor IN ('operator', 'user')),
  -- An operator's call has the user of its session, and null where it came by the token.
  user_id uuid REFERENCES gateway.users (id),
  -- Whom it concerned; null for what concerned everybody or nobody.
  workspace_id uuid,
  CONSTRAINT user_is_named CHECK (actor <> 'user' OR user_id IS NOT NULL)
);
CREATE INDEX audit_records_by_time ON gateway.audit_records (started_at);
CREATE INDEX audit_records_of_workspace ON gateway.audit_records (workspace_id, id)
  WHERE workspace_id IS NOT NULL;

-- Recipients to erase from messages that have not ended yet. See ADR 97.
CREATE TABLE gateway.erasures (
  recipient text PRIMARY KEY,
  -- Messages that were accepted later are of no concern.
  asked_at timestamptz NOT NULL,
  -- When a process looks at it next; moved ahead by the process that does.
  due_at timestamptz NOT NULL
);

-- Of the secrets that the data was written with.
CREATE TABLE gateway.secret_fingerprints (
  name text NOT NULL,
  fingerprint text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, fingerprint)
);
