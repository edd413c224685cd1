-- The acceptance transaction: decides a batch of priced sends and writes everything that follows, or nothing.
--
-- Parallel arrays in, one element per send; one row per send out. Steps, in the order of the text below:
--
--  1. Lock the accounts of the batch in sorted order, so that two batches never deadlock. The next statements have a
--     younger snapshot than the locks: they see every key, grant, window and balance that a competing batch committed.
--     Windows that workspaces share have a lock of their own, which is taken last.
--  2. `item`: one row per send with everything that its verdict depends on.
--  3. `paid`: each workspace pays for its sends one by one, in order of arrival (see billing.pay_next). A send that
--     finds a window full or costs too much takes nothing, and the next one is compared with the rest.
--  4. `judged`: the verdict of each send.
--  5. Each further step writes one table from the accepted sends. The last one returns the verdicts.
--
-- The caller guarantees:
--  - No idempotency key, no quote, no key with a budget and no shared window occurs twice in a batch.
--  - `windows` and `shared_windows` name, as the text of an array, the places in `window_ids` that a send counts in.
--  - A send that names an unknown quote, or a quote made for something else, passes an id that no quote has.
--  - Only live sends of a kind that a plan covers have a `unit` and a `quantity`; each unit of a send costs the same.
--  - `commands` are JSON texts without their beginning, `{"credits":n,`. This function adds it, because only it knows what
--    the wallet pays.
--  - `low_event` is a template of format(): workspace, entry, balance, threshold.

-- Pays for one send and returns the rest. `covered` units come from the grant, and the wallet owes `due` credits for
-- the rest. If a window is full, or the wallet or the budget cannot pay `due`, nothing is taken.
CREATE OR REPLACE FUNCTION billing.pay_next(
  before billing.purse, balance bigint, unit text, granted bigint, cost bigint, quantity bigint, budget bigint,
  windows integer[], places bigint[]
) RETURNS billing.purse
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  purse billing.purse := before;
  place integer;
BEGIN
  purse.available := coalesce(before.credits, balance);
  purse.credits := purse.available;
  purse.covered := 0;
  purse.due := cost;
  purse.full_window := NULL;
  IF windows IS NOT NULL THEN
    purse.places := coalesce(before.places, places);
    FOREACH place IN ARRAY windows LOOP
      IF purse.places[place] < 1 THEN
        purse.full_window := place;
        RETURN purse;
      END IF;
    END LOOP;
  END IF;
  IF unit = 'sms_segment' THEN
    purse.sms_segments := coalesce(before.sms_segments, granted);
    purse.covered := least(quantity, purse.sms_segments);
  ELSIF unit = 'email' THEN
    purse.emails := coalesce(before.emails, granted);
    purse.covered := least(quantity, purse.emails);
  END IF;
  IF purse.covered > 0 THEN
    purse.due := cost - cost / quantity * purse.covered;
  END IF;
  IF purse.due > purse.available OR purse.due > budget THEN
    RETURN purse;
  END IF;
  IF windows IS NOT NULL THEN
    FOREACH place IN ARRAY windows LOOP
      purse.places[place] := purse.places[place] - 1;
    END LOOP;
  END IF;
  purse.credits := purse.available - purse.due;
  IF unit = 'sms_segment' THEN
    purse.sms_segments := purse.sms_segments - purse.covered;
  ELSIF unit = 'email' THEN
    purse.emails := purse.emails - purse.covered;
  END IF;
  RETURN purse;
END $$;

CREATE OR REPLACE AGGREGATE billing.pay_in_turn(
  balance bigint, unit text, granted bigint, cost bigint, quantity bigint, budget bigint,
  windows integer[], places bigint[]
) (SFUNC = billing.pay_next, STYPE = billing.purse);

CREATE OR REPLACE FUNCTION billing.accept_messages(
  workspace_ids uuid[], message_ids uuid[], entry_ids uuid[], test_modes boolean[],
  costs bigint[], price_rules text[], destinations text[], commands text[],
  scopes text[], keys text[], fingerprints text[], quote_ids uuid[],
  units text[], quantities bigint[], key_ids uuid[], daily_budgets bigint[],
  windows text[], shared_windows text[], window_ids uuid[], window_limits bigint[], window_seconds integer[],
  accepted_at timestamptz, key_hours integer, command_topic text, command_type text,
  low_topic text, low_type text, low_event text, channels text[], country_codes text[]
) RETURNS TABLE (
  ordinal bigint, verdict text, balance bigint, credits bigint, budget_left bigint, replayed_command text,
  retry_after_seconds bigint
)
LANGUAGE plpgsql
-- The plan is made once per connection, possibly while tables are empty: index look-ups only.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  this_month date := date_trunc('month', accepted_at AT TIME ZONE 'UTC');
  today date := accepted_at AT TIME ZONE 'UTC';
  places bigint[];
  window_ends timestamptz[];
BEGIN
  PERFORM FROM billing.accounts
  WHERE workspace_id = ANY (workspace_ids) ORDER BY workspace_id FOR UPDATE;

  IF shared_windows IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock(hashtext('billing.shared-windows'));
  END IF;
  IF window_ids IS NOT NULL THEN
    -- A clock that was set back must not make a window longer.
    SELECT array_agg(window_limits[w.place] - coalesce(known.sends, 0) ORDER BY w.place),
      array_agg(least(known.ends_at, accepted_at + make_interval(secs => window_seconds[w.place])) ORDER BY w.place)
    INTO places, window_ends
    FROM unnest(window_ids) WITH ORDINALITY AS w (id, place)
    LEFT JOIN billing.send_windows AS known ON known.id = w.id AND known.ends_at > accepted_at;
  END IF;

  RETURN QUERY
  WITH item AS (
    SELECT item.*, account.balance, account.entry_count, account.low_balance_threshold,
      coalesce(this_grant.granted, quota.units) AS granted,
      coalesce(this_grant.granted - this_grant.used, quota.units) AS granted_left,
      CASE WHEN item.daily_budget IS NOT NULL
        THEN greatest(item.daily_budget - coalesce(spending.credits, 0), 0) END AS budget_left,
      known.message_id AS known_message_id, known.fingerprint AS known_fingerprint,
      item.quote_id IS NOT NULL
        AND (quote.used_by IS NULL AND quote.expires_at > accepted_at) IS NOT TRUE AS misquoted,
      windows[item.ordinal]::integer[]
        || CASE WHEN account.purchased_credits = 0 THEN shared_windows[item.ordinal]::integer[] END AS counted_in
    FROM unnest(
      workspace_ids, test_modes, costs, fingerprints, quote_ids, units, quantities, key_ids, daily_budgets
    ) WITH ORDINALITY AS item (
      workspace_id, test_mode, cost, fingerprint, quote_id, unit, quantity, key_id, daily_budget, ordinal
    )
    LEFT JOIN billing.accounts AS account ON account.workspace_id = item.workspace_id
    CROSS JOIN LATERAL (
      SELECT CASE item.unit
        WHEN 'sms_segment' THEN account.sms_segments_per_month
        WHEN 'email' THEN account.emails_per_month
      END AS units
    ) AS quota
    LEFT JOIN billing.grants AS this_grant
      ON this_grant.workspace_id = CASE WHEN quota.units IS NOT NULL THEN item.workspace_id END
      AND this_grant.unit = item.unit AND this_grant.month = this_month
    LEFT JOIN billing.key_spending AS spending
      ON spending.key_id = item.key_id AND spending.test_mode = item.test_mode AND spending.day = today
    LEFT JOIN billing.idempotency_keys AS known
      ON known.workspace_id = item.workspace_id AND known.scope = scopes[item.ordinal]
      AND known.key = keys[item.ordinal]
      AND known.created_at > accepted_at - make_interval(hours => key_hours)
    LEFT JOIN billing.quotes AS quote ON quote.id = item.quote_id
  ), owed AS (
    SELECT item.*, NOT (test_mode OR known_fingerprint IS NOT NULL OR misquoted) AS owes
    FROM item
  ), paid AS (
    SELECT owed.*, billing.pay_in_turn(
      balance,
      CASE WHEN owes THEN unit END,
      coalesce(granted_left, 0),
      CASE WHEN owes THEN cost ELSE 0 END,
      quantity,
      budget_left,
      CASE WHEN owes THEN counted_in END,
      places
    ) OVER (PARTITION BY workspace_id ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS purse
    FROM owed
  ), billed AS (
    SELECT paid.*, (purse).available, (purse).credits AS balance_after, (purse).covered, (purse).full_window,
      CASE WHEN owes THEN (purse).due ELSE cost END AS taken
    FROM paid
  ), judged AS MATERIALIZED (
    SELECT billed.*, CASE
      WHEN balance IS NULL THEN 'unknown_workspace'
      WHEN known_fingerprint = fingerprint THEN 'replayed'
      WHEN known_fingerprint IS NOT NULL THEN 'idempotency_conflict'
      WHEN misquoted THEN 'invalid_quote'
      WHEN full_window IS NOT NULL THEN 'limited'
      WHEN taken > available AND NOT test_mode THEN 'insufficient_credits'
      WHEN taken > budget_left THEN 'daily_budget'
      ELSE 'accepted'
    END AS verdict
    FROM billed
  ), debited AS (
    UPDATE billing.accounts AS account
    SET balance = account.balance - charged.credits,
      entry_count = account.entry_count + charged.entries,
      updated_at = accepted_at
    FROM (
      SELECT workspace_id, sum(taken)::bigint AS credits, count(*) AS entries
      FROM judged WHERE verdict = 'accepted' AND NOT test_mode GROUP BY workspace_id
    ) AS charged
    WHERE account.workspace_id = charged.workspace_id
  ), charged AS (
    INSERT INTO billing.entries (
      id, workspace_id, ordinal, kind, credits, balance_after, message_id, price_rule, created_at,
      granted_segments, grant_month, grant_unit, key_id, channel, country_code
    )
    SELECT entry_ids[ordinal], workspace_id,
      entry_count + row_number() OVER (PARTITION BY workspace_id ORDER BY ordinal),
      'charge', -taken, balance_after, message_ids[ordinal], price_rules[ordinal], accepted_at,
      covered, CASE WHEN covered > 0 THEN this_month END, CASE WHEN covered > 0 THEN unit END, key_id,
      channels[ordinal], country_codes[ordinal]
    FROM judged WHERE verdict = 'accepted' AND NOT test_mode
  ), granted AS (
    INSERT INTO billing.grants AS known (workspace_id, unit, month, granted, used)
    SELECT workspace_id, unit, this_month, max(granted), sum(covered)
    FROM judged WHERE verdict = 'accepted' AND covered > 0 GROUP BY workspace_id, unit
    ON CONFLICT (workspace_id, unit, month) DO UPDATE SET used = known.used + excluded.used
  ), budgeted AS (
    INSERT INTO billing.key_spending AS known (workspace_id, key_id, test_mode, day, credits)
    SELECT workspace_id, key_id, test_mode, today, taken
    FROM judged WHERE verdict = 'accepted' AND key_id IS NOT NULL
    ON CONFLICT (key_id, test_mode, day) DO UPDATE SET credits = known.credits + excluded.credits
  ), counted AS (
    INSERT INTO billing.send_windows AS known (id, sends, ends_at)
    SELECT window_ids[place], count(*), window_ends[place]
    FROM judged CROSS JOIN unnest(counted_in) AS place
    WHERE verdict = 'accepted' AND NOT test_mode GROUP BY place
    ON CONFLICT (id) DO UPDATE SET ends_at = excluded.ends_at,
      sends = CASE WHEN known.ends_at > accepted_at THEN known.sends ELSE 0 END + excluded.sends
  ), recorded AS (
    INSERT INTO billing.acceptances (
      message_id, workspace_id, test_mode, credits, command, created_at, key_id
    )
    SELECT message_ids[ordinal], workspace_id, test_mode, taken,
      '{"credits":' || taken || ',' || commands[ordinal], accepted_at, key_id
    FROM judged WHERE verdict = 'accepted'
  ), claimed AS (
    INSERT INTO billing.idempotency_keys AS stale (
      workspace_id, scope, key, fingerprint, message_id, created_at
    )
    SELECT workspace_id, scopes[ordinal], keys[ordinal], fingerprint, message_ids[ordinal], accepted_at
    FROM judged WHERE verdict = 'accepted' AND fingerprint IS NOT NULL
    ON CONFLICT (workspace_id, scope, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, message_id = excluded.message_id,
      entry_id = NULL, batch_id = NULL, created_at = excluded.created_at
  ), quoted AS (
    UPDATE billing.quotes AS quote SET used_by = message_ids[ordinal]
    FROM judged WHERE verdict = 'accepted' AND quote.id = quote_id
  ), queued AS (
    INSERT INTO billing.message_queue (topic, reader, key, message_id, type, occurred_at, payload)
    SELECT topic, reader, destinations[ordinal], message_ids[ordinal]::text, command_type, accepted_at,
      '{"credits":' || taken || ',' || commands[ordinal]
    FROM judged JOIN billing.message_queue_readers ON topic = command_topic
    WHERE verdict = 'accepted' ORDER BY ordinal
  ), warned AS (
    -- The charge that takes the balance below the workspace's threshold: once per crossing. It is due
    -- at once, because the caller hands over commands only.
    INSERT INTO billing.message_queue (topic, reader, key, message_id, type, occurred_at, payload, due_at)
    SELECT topic, reader, workspace_id::text, 'low-' || entry_ids[ordinal], low_type, accepted_at,
      format(low_event, workspace_id, entry_ids[ordinal], balance_after, low_balance_threshold), now()
    FROM judged JOIN billing.message_queue_readers ON topic = low_topic
    WHERE verdict = 'accepted' AND NOT test_mode
      AND available >= low_balance_threshold AND balance_after < low_balance_threshold
  )
  SELECT ordinal, verdict, available, taken, budget_left, CASE WHEN verdict = 'replayed' THEN (
    SELECT command FROM billing.acceptances AS original
    WHERE original.message_id = known_message_id
  ) END, greatest(1, ceil(extract(epoch FROM window_ends[full_window] - accepted_at)))::bigint
  FROM judged;
END $$;
