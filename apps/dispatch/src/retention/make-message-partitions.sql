-- Makes the partitions of messages and of their attempts for the month of `at` and the month after it, and returns
-- the names of the new ones. It does nothing where they exist, or while another process makes some.
--
-- Rows of such a month that went into the default partition, because the job was late or a clock jumped, move into the
-- new one. A month with more than `moved_max` such rows in one of the tables gets no partition in either: its rows stay
-- where they are, and retention deletes them there.
--
-- The function belongs to the owner of the tables, because services may not make or drop any. A statement that holds
-- the default partition for longer than the timeout of locks makes it fail; the job calls it again.
CREATE OR REPLACE FUNCTION dispatch.make_message_partitions(at timestamptz)
RETURNS TABLE (made text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '50ms'
AS $$
DECLARE
  moved_max constant integer := 10000;
  first_month constant timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  place record;
  waiting integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('dispatch partitions', 0)) THEN RETURN; END IF;
  FOR place IN
    SELECT parent.name, parent.key, parent.fill, parent.name || to_char(month, '_YYYYMM') AS child,
      (lpad(to_hex((extract(epoch FROM month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
        AS from_id,
      (lpad(to_hex((extract(epoch FROM month + interval '1 month') * 1000)::bigint), 12, '0')
        || repeat('0', 20))::uuid AS to_id
    FROM generate_series(first_month, first_month + interval '1 month', interval '1 month') AS month
    CROSS JOIN (VALUES ('messages', 'id', 50), ('attempts', 'message_id', 80)) AS parent (name, key, fill)
    ORDER BY month, parent.name
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM dispatch.message_partitions(place.name) AS known
      WHERE known.name = place.child OR known.to_id > place.from_id
        AND (known.from_id IS NULL OR known.from_id <= place.from_id));
    -- Held until the end, so what is decided for the one table holds for the other.
    LOCK TABLE dispatch.messages_default, dispatch.attempts_default IN ACCESS EXCLUSIVE MODE;
    SELECT greatest(
      (SELECT count(*) FROM (
         SELECT FROM dispatch.messages_default
         WHERE id >= place.from_id AND id < place.to_id LIMIT moved_max + 1) AS found),
      (SELECT count(*) FROM (
         SELECT FROM dispatch.attempts_default
         WHERE message_id >= place.from_id AND message_id < place.to_id LIMIT moved_max + 1) AS found))
      INTO waiting;
    CONTINUE WHEN waiting > moved_max;
    EXECUTE format(
      'CREATE TABLE dispatch.%I (LIKE dispatch.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
       WITH (fillfactor = %s, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)',
      place.child, place.name, place.fill);
    EXECUTE format(
      'WITH moved AS (DELETE FROM dispatch.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
       INSERT INTO dispatch.%5$I SELECT * FROM moved',
      place.name || '_default', place.key, place.from_id, place.to_id, place.child);
    EXECUTE format('ALTER TABLE dispatch.%I ATTACH PARTITION dispatch.%I FOR VALUES FROM (%L) TO (%L)',
      place.name, place.child, place.from_id, place.to_id);
    made := place.child;
    RETURN NEXT;
  END LOOP;
END $$;
