-- Drops the oldest partition of deliveries, and that of their attempts, if all of its ids were drawn before that
-- moment, and returns its name. One with a delivery that is still under way stays; what waits for a test
-- event goes with its week. So does one that is younger than a week by
-- the database's clock: a program with a wrong clock must not drop new rows.
--
-- The tables are held for moments. A statement that holds them for longer than the timeout of locks makes this fail;
-- the job calls it again.
CREATE OR REPLACE FUNCTION webhooks.drop_delivery_partition(before timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '50ms'
AS $$
DECLARE
  limit_ms constant bigint :=
    extract(epoch FROM least(before, statement_timestamp() - interval '7 days')) * 1000;
  limit_id constant uuid := (lpad(to_hex(limit_ms), 12, '0') || repeat('0', 20))::uuid;
  week record;
  is_busy boolean;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('webhooks partitions', 0)) THEN RETURN NULL; END IF;
  FOR week IN
    SELECT delivery.name AS deliveries, attempt.name AS attempts
    FROM webhooks.delivery_partitions('deliveries') AS delivery
    JOIN webhooks.delivery_partitions('delivery_attempts') AS attempt
      ON attempt.to_id = delivery.to_id AND attempt.from_id IS NOT DISTINCT FROM delivery.from_id
    WHERE delivery.to_id <= limit_id ORDER BY delivery.to_id
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM webhooks.%I WHERE due_at < ''infinity'')', week.deliveries)
      INTO is_busy;
    CONTINUE WHEN is_busy;
    EXECUTE format('DROP TABLE webhooks.%I', week.deliveries);
    EXECUTE format('DROP TABLE webhooks.%I', week.attempts);
    RETURN week.deliveries;
  END LOOP;
  RETURN NULL;
END $$;
