import { createClient } from '@watchword/postgres';

/**
 * Everything that a schema defines, one object per row, ordered by names only. Column order is
 * included: `INSERT` without column names and row types depend on it.
 */
const DUMP = `
  WITH relation AS (
    SELECT c.*, c.oid::regclass::text AS name FROM pg_class AS c
    WHERE c.relnamespace = $1::regnamespace
  )
  SELECT 'relation ' || name || ' ' || relkind::text || ' ' || coalesce(array_to_string(reloptions, ','), '')
    || ' ' || coalesce(relacl::text, '') || ' ' || coalesce(pg_get_partkeydef(oid), '')
    || ' ' || CASE WHEN relkind = 'v' THEN pg_get_viewdef(oid) ELSE '' END AS line
  FROM relation WHERE relkind NOT IN ('i', 'I', 'c')
  UNION ALL
  SELECT 'column ' || name || '.' || attname || ' ' || rank() OVER (PARTITION BY name ORDER BY attnum)
    || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull::text || ' ' || attidentity::text
    || attgenerated::text || ' ' || coalesce(collname, '') || ' '
    || coalesce(pg_get_expr(adbin, adrelid), '') || ' ' || coalesce(attacl::text, '')
  FROM relation JOIN pg_attribute ON attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE relkind NOT IN ('i', 'I')
  UNION ALL
  SELECT 'index ' || pg_get_indexdef(indexrelid) || ' ' || indisvalid::text
  FROM relation JOIN pg_index ON indexrelid = relation.oid
  UNION ALL
  SELECT 'constraint ' || coalesce(conrelid::regclass::text, '') || '.' || conname || ' '
    || pg_get_constraintdef(oid) || ' ' || convalidated::text
  FROM pg_constraint WHERE connamespace = $1::regnamespace
  UNION ALL
  SELECT 'trigger ' || name || ' ' || pg_get_triggerdef(t.oid) || ' ' || tgenabled::text
  FROM relation JOIN pg_trigger AS t ON tgrelid = relation.oid AND NOT tgisinternal
  UNION ALL
  SELECT CASE prokind WHEN 'a' THEN 'aggregate ' || oid::regprocedure::text || ' ' || (
      SELECT aggtransfn::text || ' ' || aggtranstype::regtype::text || ' ' || coalesce(agginitval, '')
      FROM pg_aggregate WHERE aggfnoid = p.oid
    ) ELSE pg_get_functiondef(oid) END || ' ' || coalesce(proacl::text, '')
  FROM pg_proc AS p WHERE pronamespace = $1::regnamespace
  UNION ALL
  SELECT 'type ' || typname || ' ' || typtype::text || ' ' || coalesce((
      SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid
    ), '')
  FROM pg_type AS t WHERE typnamespace = $1::regnamespace AND typtype IN ('e', 'd', 'r')
  UNION ALL
  SELECT 'schema ' || nspname || ' ' || coalesce(nspacl::text, '')
  FROM pg_namespace WHERE oid = $1::regnamespace`;

export async function dumpSchema(adminUrl: string, schema: string): Promise<string[]> {
  const client = createClient({ url: adminUrl, applicationName: 'watchword-tests' });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(DUMP, [schema]);
    return rows.map(({ line }) => line).toSorted();
  } finally {
    await client.end();
  }
}
