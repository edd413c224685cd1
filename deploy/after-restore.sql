-- Run this once after a dump was restored on another PostgreSQL server, before Watchword starts:
--
--   psql --set ON_ERROR_STOP=1 --dbname "$DATABASE_URL" --file deploy/after-restore.sql
--
-- Outboxes are in the order of transaction ids, and those of a dump belong to the server that it
-- was made on. Here all rows get the id 1, so that their positions alone are their order, and each
-- reader goes back to the first row that it may not have passed. Some rows are read again, and
-- consumers take each once. A physical copy needs none of this. Another run changes nothing.
DO $$
DECLARE
  service text;
  offsets text;
BEGIN
  IF EXISTS (SELECT FROM pg_stat_activity
              WHERE datname = current_database() AND usename LIKE 'watchword\_%') THEN
    RAISE EXCEPTION 'Stop every process of Watchword first.';
  END IF;
  FOREACH service IN ARRAY '{gateway,billing,dispatch,webhooks}'::text[] LOOP
    CONTINUE WHEN to_regclass(service || '.outbox_offsets') IS NULL;
    FOREACH offsets IN ARRAY ARRAY[service || '.outbox_offsets', 'bus.offsets'] LOOP
      CONTINUE WHEN to_regclass(offsets) IS NULL;
      -- Of rows behind the offset's position nothing is lost, whatever their ids.
      EXECUTE format(
        $sql$UPDATE %1$s AS o SET position = least(o.position, (
               SELECT min(b.position) - 1 FROM %2$I.outbox AS b
                WHERE b.topic = o.topic AND (b.xid, b.position) > (o.xid, o.position)))$sql$,
        offsets, service);
    END LOOP;
    EXECUTE format($sql$UPDATE %I.outbox SET xid = '1'$sql$, service);
    EXECUTE format($sql$UPDATE %I.outbox_offsets SET xid = '1'$sql$, service);
  END LOOP;
  -- Kafka's installations have no such table. Its ids were compared above.
  IF to_regclass('bus.offsets') IS NOT NULL THEN
    UPDATE bus.offsets SET xid = '1';
  END IF;
END $$;
