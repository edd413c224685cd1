-- Makes the partitions of deliveries and of their attempts for the week of `at` and the two weeks after it, and returns
-- the names of the new ones. It does nothing where they exist, or while another process makes some.
--
-- Rows of such a week that went into the default partition, because the job was late or a clock jumped, move into the
-- new one. A week with more than `moved_max` such rows in one of the tables gets no partition in either: its rows stay where
-- they are, and retention deletes them there.
--
-- The function belongs to the owner of the tables, because services may not make or drop any. A statement that holds
-- the default partition for longer than the timeout of locks makes it fail; the job calls it again.
CREATE OR REPLACE FUNCTION webhooks.make_delivery_partitions(at timestamptz)
RETURNS TABLE (made text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '50ms'
AS $$
DECLARE
  week_ms constant bigint := 7 * 24 * 3600000;
  moved_max constant integer := 10000;
  first_week constant bigint := floor(extract(epoch FROM at) * 1000 / week_ms);
  wanted record;
  waiting integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('webhooks partitions', 0)) THEN RETURN; END IF;
  FOR wanted IN
    SELECT parent.name, parent.key,
      parent.name || to_char(to_timestamp(week * week_ms / 1000) AT TIME ZONE 'UTC', '_YYYYMMDD')
        AS child,
      (lpad(to_hex(week * week_ms), 12, '0') || repeat('0', 20))::uuid AS from_id,
      (lpad(to_hex((week + 1) * week_ms), 12, '0') || repeat('0', 20))::uuid AS to_id
    FROM generate_series(first_week, first_week + 2) AS week
    CROSS JOIN (VALUES ('deliveries', 'id'), ('delivery_attempts', 'delivery_id')) AS parent (name, key)
    ORDER BY week, parent.name
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM webhooks.delivery_partitions(wanted.name) AS known
      WHERE known.name = wanted.child OR known.to_id > wanted.from_id
        AND (known.from_id IS NULL OR known.from_id <= wanted.from_id));
    -- Held until the end, so what is decided for the one table holds for the other.
    LOCK TABLE webhooks.deliveries_default, webhooks.delivery_attempts_default IN ACCESS EXCLUSIVE MODE;
    SELECT greatest(
      (SELECT count(*) FROM (
         SELECT FROM webhooks.deliveries_default
         WHERE id >= wanted.from_id AND id < wanted.to_id LIMIT moved_max + 1) AS found),
      (SELECT count(*) FROM (
         SELECT FROM webhooks.delivery_attempts_default
         WHERE delivery_id >= wanted.from_id AND delivery_id < wanted.to_id LIMIT moved_max + 1) AS found))
      INTO waiting;
    CONTINUE WHEN waiting > moved_max;
    EXECUTE format(
      'CREATE TABLE webhooks.%I (LIKE webhooks.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
       WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)',
      wanted.child, wanted.name);
    EXECUTE format(
      'WITH moved AS (DELETE FROM webhooks.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
       INSERT INTO webhooks.%5$I SELECT * FROM moved',
      wanted.name || '_default', wanted.key, wanted.from_id, wanted.to_id, wanted.child);
    EXECUTE format('ALTER TABLE webhooks.%I ATTACH PARTITION webhooks.%I FOR VALUES FROM (%L) TO (%L)',
      wanted.name, wanted.child, wanted.from_id, wanted.to_id);
    made := wanted.child;
    RETURN NEXT;
  END LOOP;
END $$;
