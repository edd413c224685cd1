-- Makes the roll-ups of hours that have ended, at most `hours_max` hours of workspaces in one call. Returns how many
-- it made.
--
-- 1. One call at a time: the row of the progress is locked until the end of the transaction.
-- 2. Once `ended_before` is later than at the last call, each workspace that sent in between gets a row in
--    `changed_hours`. Until then, the overview counts these hours from the messages.
-- 3. The rows of an hour are deleted before its messages are counted, so a change that commits later leaves a row
--    behind.
-- 4. Hours before `stored_from` can lack messages already, so their roll-ups stay as they are.
-- 5. The sums of a day are made of its hours when the day has ended, although nothing was sent in its last
--    hours, and again with each of its hours.
CREATE OR REPLACE FUNCTION dispatch.roll_up_usage(
  ended_before timestamptz, stored_from timestamptz, hours_max integer
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  done_before timestamptz;
  one record;
  made integer := 0;
  workspaces uuid[] := '{}';
  days timestamptz[] := '{}';
BEGIN
  INSERT INTO dispatch.progress (job, reached) VALUES ('usage', '-infinity') ON CONFLICT DO NOTHING;
  SELECT reached INTO done_before FROM dispatch.progress WHERE job = 'usage' FOR UPDATE;
  IF done_before < ended_before THEN
    INSERT INTO dispatch.changed_hours (workspace_id, hour)
    SELECT workspace_id, date_trunc('hour', created_at, 'UTC') FROM dispatch.messages
    WHERE created_at >= done_before AND created_at < ended_before
    UNION
    SELECT workspace_id, date_trunc('hour', created_at, 'UTC') FROM dispatch.emails
    WHERE created_at >= done_before AND created_at < ended_before;
    UPDATE dispatch.progress SET reached = ended_before WHERE job = 'usage';
    IF date_trunc('day', done_before, 'UTC') < date_trunc('day', ended_before, 'UTC') THEN
      SELECT coalesce(array_agg(workspace_id), '{}'), coalesce(array_agg(day), '{}') INTO workspaces, days FROM (
        SELECT DISTINCT workspace_id, date_trunc('day', hour, 'UTC') AS day FROM dispatch.hourly_usage
        WHERE hour >= date_trunc('day', done_before, 'UTC') AND hour < date_trunc('day', ended_before, 'UTC')
      ) AS ended;
    END IF;
  END IF;

  FOR one IN
    SELECT DISTINCT workspace_id, hour FROM dispatch.changed_hours
    WHERE hour < greatest(done_before, ended_before) LIMIT hours_max
  LOOP
    made := made + 1;
    DELETE FROM dispatch.changed_hours WHERE workspace_id = one.workspace_id AND hour = one.hour;
    CONTINUE WHEN one.hour < stored_from;
    DELETE FROM dispatch.hourly_usage WHERE workspace_id = one.workspace_id AND hour = one.hour;
    INSERT INTO dispatch.hourly_usage
    SELECT * FROM dispatch.count_usage(one.workspace_id, one.hour, one.hour + interval '1 hour');
    workspaces := workspaces || one.workspace_id;
    days := days || date_trunc('day', one.hour, 'UTC');
  END LOOP;

  FOR one IN SELECT DISTINCT workspace_id, day FROM unnest(workspaces, days) AS changed (workspace_id, day)
  LOOP
    DELETE FROM dispatch.daily_usage WHERE workspace_id = one.workspace_id AND day = one.day;
    CONTINUE WHEN one.day + interval '24 hours' > greatest(done_before, ended_before);
    INSERT INTO dispatch.daily_usage SELECT * FROM dispatch.sum_usage(one.workspace_id, one.day);
  END LOOP;
  RETURN made;
END $$;
