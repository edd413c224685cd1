import { LOCK_NOT_AVAILABLE, sqlState } from './database-errors.js';

/** A table, partitioned by the time in its ids, and the table of its details. */
export interface PartitionedTables {
  schema: string;
  main: PartitionedTable;
  details: PartitionedTable;
  period: keyof typeof PERIODS;
  /**
   * Condition under which a partition is not dropped, as a format of PostgreSQL: %1$I is the partition
   * of the main table, %2$I that of the details, %3$L and %4$L their first id and the one after the
   * last.
   */
  isInUse: string;
}

export interface PartitionedTable {
  name: string;
  /** The column of the id that decides the partition. */
  key: string;
  fillfactor: number;
}

/** `ahead` is how many periods after the current one have their partitions. */
const PERIODS = {
  week: {
    step: '7 days',
    start: `date_bin('7 days', %, timestamp 'epoch')`,
    suffix: '_YYYYMMDD',
    ahead: 2,
    ageMin: '7 days',
  },
  month: {
    step: '1 month',
    start: `date_trunc('month', %)`,
    suffix: '_YYYYMM',
    ahead: 1,
    ageMin: '31 days',
  },
};

const VACUUM = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05';

/**
 * Returns SQL for a migration. Rows without a partition go into the default one, so a late job or a
 * clock that jumps refuses no row. The first partition takes what comes before a period that begins
 * in a week or later; `make_partitions` makes the others.
 *
 * The functions belong to the owner of the tables, because services may not make or drop any. A
 * statement that holds the tables for longer than the timeout of locks makes them fail; the job
 * calls them again (`unlessHeld`).
 */
export function createPartitions(tables: PartitionedTables): string {
  const { schema, main, details, period } = tables;
  const { step, start } = PERIODS[period];
  const bound = `${start.replace('%', `(now() + interval '7 days') AT TIME ZONE 'UTC'`)} + interval '${step}'`;
  const each = [main, details].map(
    ({ name, fillfactor }) => `
      CREATE TABLE ${schema}.${name}_default PARTITION OF ${schema}.${name} DEFAULT
        WITH (fillfactor = ${fillfactor});
      DO $$ BEGIN
        EXECUTE format('CREATE TABLE ${schema}.${name}_first PARTITION OF ${schema}.${name}
          FOR VALUES FROM (MINVALUE) TO (%L) WITH (fillfactor = ${fillfactor}, ${VACUUM})',
          ${schema}.first_id(${bound}));
      END $$;`,
  );
  return `${helpersOf(schema)} ${each.join('')} ${makingOf(tables)} ${droppingOf(tables)}`;
}

/** `partitions_of` leaves out the default partition. Ids are from `from_id` on and before `to_id`. */
function helpersOf(schema: string): string {
  return `
    CREATE FUNCTION ${schema}.first_id(at timestamp) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
      SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
    $$;
    CREATE FUNCTION ${schema}.partitions_of(parent text)
    RETURNS TABLE (name text, from_id uuid, to_id uuid) LANGUAGE sql STABLE AS $$
      SELECT child.relname::text,
        substring(pg_get_expr(child.relpartbound, child.oid) FROM 'FROM \\(''([0-9a-f-]{36})''\\)')::uuid,
        substring(pg_get_expr(child.relpartbound, child.oid) FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid
      FROM pg_catalog.pg_class AS child
      JOIN pg_catalog.pg_inherits ON inhrelid = child.oid
      WHERE inhparent = format('${schema}.%I', parent)::regclass
        AND pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT'
    $$;`;
}

/**
 * `make_partitions` makes those of the period of `at` and of the next ones, and returns their names. It
 * does nothing where they exist, or while another process makes some. Rows of such a period in the
 * default partition move into the new one. A period with more than `moved_max` such rows in one of
 * the tables gets no partition in either: its rows stay, and retention deletes them there.
 */
function makingOf({ schema, main, details, period }: PartitionedTables): string {
  const { step, start, suffix, ahead } = PERIODS[period];
  const rowOf = ({ name, key, fillfactor }: PartitionedTable) =>
    `('${name}', '${key}', ${fillfactor})`;
  const countOf = ({ name, key }: PartitionedTable) =>
    `(SELECT count(*) FROM (SELECT FROM ${schema}.${name}_default
       WHERE ${key} >= place.from_id AND ${key} < place.to_id LIMIT moved_max + 1) AS found)`;
  return `
    CREATE FUNCTION ${schema}.make_partitions(at timestamptz) RETURNS TABLE (made text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
    DECLARE
      moved_max constant integer := 10000;
      first constant timestamp := ${start.replace('%', `at AT TIME ZONE 'UTC'`)};
      place record;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('${schema} partitions', 0)) THEN RETURN; END IF;
      FOR place IN
        SELECT parent.*, parent.name || to_char(begin, '${suffix}') AS child,
          ${schema}.first_id(begin) AS from_id, ${schema}.first_id(begin + interval '${step}') AS to_id
        FROM generate_series(first, first + ${ahead} * interval '${step}', interval '${step}') AS begin
        CROSS JOIN (VALUES ${rowOf(main)}, ${rowOf(details)}) AS parent (name, key, fill)
        ORDER BY begin, parent.name
      LOOP
        CONTINUE WHEN EXISTS (
          SELECT FROM ${schema}.partitions_of(place.name) AS known
          WHERE known.name = place.child OR known.to_id > place.from_id
            AND (known.from_id IS NULL OR known.from_id <= place.from_id));
        -- Held until the end, so what is decided for the one table holds for the other.
        LOCK TABLE ${schema}.${main.name}_default, ${schema}.${details.name}_default
          IN ACCESS EXCLUSIVE MODE;
        CONTINUE WHEN greatest(${countOf(main)}, ${countOf(details)}) > moved_max;
        EXECUTE format(
          'CREATE TABLE ${schema}.%I (LIKE ${schema}.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)
           WITH (fillfactor = %s, ${VACUUM})', place.child, place.name, place.fill);
        EXECUTE format(
          'WITH moved AS (DELETE FROM ${schema}.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *)
           INSERT INTO ${schema}.%5$I SELECT * FROM moved',
          place.name || '_default', place.key, place.from_id, place.to_id, place.child);
        EXECUTE format(
          'ALTER TABLE ${schema}.%I ATTACH PARTITION ${schema}.%I FOR VALUES FROM (%L) TO (%L)',
          place.name, place.child, place.from_id, place.to_id);
        made := place.child;
        RETURN NEXT;
      END LOOP;
    END $$;`;
}

/**
 * `drop_partition` drops the oldest partition, and that of its details, if all of its ids were drawn
 * before that moment and it is not in use, and returns its name. One that is younger than a period by
 * the database's clock stays: a program with a wrong clock must not drop new rows.
 */
function droppingOf({ schema, main, details, period, isInUse }: PartitionedTables): string {
  const { ageMin } = PERIODS[period];
  return `
    CREATE FUNCTION ${schema}.drop_partition(before timestamptz) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET lock_timeout = '50ms' AS $$
    DECLARE
      limit_id constant uuid := ${schema}.first_id(
        least(before, statement_timestamp() - interval '${ageMin}') AT TIME ZONE 'UTC');
      place record;
      is_in_use boolean;
    BEGIN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('${schema} partitions', 0)) THEN
        RETURN NULL;
      END IF;
      FOR place IN
        SELECT main.name, details.name AS details, main.to_id,
          coalesce(main.from_id, '00000000-0000-0000-0000-000000000000') AS from_id
        FROM ${schema}.partitions_of('${main.name}') AS main
        JOIN ${schema}.partitions_of('${details.name}') AS details
          ON details.to_id = main.to_id AND details.from_id IS NOT DISTINCT FROM main.from_id
        WHERE main.to_id <= limit_id ORDER BY main.to_id
      LOOP
        EXECUTE format('SELECT ${isInUse.replaceAll("'", "''")}',
          place.name, place.details, place.from_id, place.to_id) INTO is_in_use;
        CONTINUE WHEN is_in_use;
        EXECUTE format('DROP TABLE ${schema}.%I', place.name);
        EXECUTE format('DROP TABLE ${schema}.%I', place.details);
        RETURN place.name;
      END LOOP;
      RETURN NULL;
    END $$;`;
}

/**
 * Makes or drops partitions. Returns false if another statement held the tables too long; the next
 * run tries again.
 */
export async function unlessHeld(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
