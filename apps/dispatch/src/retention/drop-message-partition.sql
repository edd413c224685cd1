-- Drops the oldest partition of messages, and that of their attempts, if all of its ids were drawn before that moment,
-- and returns its name. One with a message that waits for its time, or for a carrier's answer, stays. So does one that
-- is younger than a month by the database's clock: a program with a wrong clock must not drop new rows.
--
-- The tables are held for moments. A statement that holds them for longer than the timeout of locks makes this fail;
-- the job calls it again.
CREATE OR REPLACE FUNCTION dispatch.drop_message_partition(before timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '50ms'
AS $$
DECLARE
  limit_ms constant bigint :=
    extract(epoch FROM least(before, statement_timestamp() - interval '31 days')) * 1000;
  limit_id constant uuid := (lpad(to_hex(limit_ms), 12, '0') || repeat('0', 20))::uuid;
  place record;
  is_waiting boolean;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('dispatch partitions', 0)) THEN RETURN NULL; END IF;
  FOR place IN
    SELECT message.name AS messages, attempt.name AS attempts, message.to_id,
      coalesce(message.from_id, '00000000-0000-0000-0000-000000000000') AS from_id
    FROM dispatch.message_partitions('messages') AS message
    JOIN dispatch.message_partitions('attempts') AS attempt
      ON attempt.to_id = message.to_id AND attempt.from_id IS NOT DISTINCT FROM message.from_id
    WHERE message.to_id <= limit_id ORDER BY message.to_id
  LOOP
    EXECUTE format(
      'SELECT EXISTS (SELECT FROM dispatch.%I WHERE held_by IS NOT NULL) OR EXISTS (
         SELECT FROM dispatch.scheduled_messages WHERE message_id < %L AND message_id >= %L)',
      place.attempts, place.to_id, place.from_id) INTO is_waiting;
    CONTINUE WHEN is_waiting;
    EXECUTE format('DROP TABLE dispatch.%I', place.messages);
    EXECUTE format('DROP TABLE dispatch.%I', place.attempts);
    RETURN place.messages;
  END LOOP;
  RETURN NULL;
END $$;
