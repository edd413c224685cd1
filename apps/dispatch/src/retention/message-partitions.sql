-- The partitions of one of the tables, the first one without a lower bound and the default one left out. Ids are from
-- `from_id` on and before `to_id`.
CREATE OR REPLACE FUNCTION dispatch.message_partitions(parent text)
RETURNS TABLE (name text, from_id uuid, to_id uuid)
LANGUAGE sql STABLE
AS $$
  SELECT child.relname::text,
    substring(pg_get_expr(child.relpartbound, child.oid) FROM 'FROM \(''([0-9a-f-]{36})''\)')::uuid,
    substring(pg_get_expr(child.relpartbound, child.oid) FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid
  FROM pg_catalog.pg_class AS child
  JOIN pg_catalog.pg_inherits ON inhrelid = child.oid
  WHERE inhparent = format('dispatch.%I', parent)::regclass
    AND pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT';
$$;
