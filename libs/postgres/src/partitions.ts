import { LOCK_NOT_AVAILABLE, sqlState } from './database-errors.js';

/**
 * How a table that grows with messages becomes partitioned by the time in its UUIDv7 key. Three
 * migrations lock it only for moments, however many rows it has:
 *
 * 1. `boundByTime` adds a check that all rows lie before a week or month to come, without reading
 *   them.
 * 2. `checkBound` reads the rows, while readers and writers continue.
 * 3. `partitionByTime` replaces the table by a partitioned one, and the old table becomes the first
 *   partition. The check makes a read of the rows unnecessary. Names of the table, its columns and
 *   its indexes stay.
 *
 * Rows without a partition go into the default one, so a late job or a clock that jumps refuses no
 * row.
 */
export interface GrowingTable {
  schema: string;
  table: string;
  /** A UUIDv7, part of the primary key. */
  key: string;
  /** Storage parameters of its partitions, as `fillfactor = 50`. */
  storage?: string;
}

/** Milliseconds of a week. Weeks are whole weeks since 1970, months those of the calendar in UTC. */
export const PARTITION_MS = 7 * 24 * 3_600_000;
export type Period = 'week' | 'month';

const msOf = (id: string) => `('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint`;
const idAt = (ms: string) => `(lpad(to_hex(${ms}), 12, '0') || repeat('0', 20))::uuid`;

/** Milliseconds: the start of the first period that is at least a week after `newest`. */
const BOUNDS: Readonly<Record<Period, string>> = {
  week: `(newest / ${PARTITION_MS} + 2) * ${PARTITION_MS}`,
  month: `(extract(epoch FROM interval '1 month' + date_trunc('month',
    to_timestamp((newest + ${PARTITION_MS}) / 1000) AT TIME ZONE 'UTC')) * 1000)::bigint`,
};

/** Gives all tables the same bound: at least a week after the clock and every row. */
export function boundByTime(tables: readonly GrowingTable[], period: Period = 'week'): string {
  const newest = tables.map(
    ({ schema, table, key }) =>
      `(SELECT ${msOf(key)} FROM ${schema}.${table} ORDER BY ${key} DESC LIMIT 1)`,
  );
  const constraints = tables.map(
    ({ schema, table, key }) => `
      EXECUTE format('ALTER TABLE ${schema}.${table}
        ADD CONSTRAINT ${table}_bound CHECK (${key} < %L) NOT VALID', bound);`,
  );
  return `
    DO $$
    DECLARE
      newest bigint := greatest((extract(epoch FROM now()) * 1000)::bigint, ${newest.join(', ')});
      bound uuid := ${idAt(BOUNDS[period])};
    BEGIN${constraints.join('')}
    END $$`;
}

export function checkBound({ schema, table }: GrowingTable): string {
  return `ALTER TABLE ${schema}.${table} VALIDATE CONSTRAINT ${table}_bound`;
}

export function partitionByTime({ schema, table, key, storage }: GrowingTable): string {
  const name = `${schema}.${table}`;
  const stored = storage ? ` WITH (${storage})` : '';
  return `
    LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE;
    DO $$
    DECLARE
      bound text := (
        SELECT substring(pg_get_constraintdef(oid) FROM '[0-9a-f]{8}-[0-9a-f-]{27}')
        FROM pg_constraint WHERE conrelid = '${name}'::regclass AND conname = '${table}_bound');
      primary_name text;
      primary_key text;
      definitions text[];
      index_name text;
      definition text;
    BEGIN
      SELECT conname, pg_get_constraintdef(oid) INTO STRICT primary_name, primary_key
        FROM pg_constraint WHERE conrelid = '${name}'::regclass AND contype = 'p';
      definitions := array(SELECT pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = '${name}'::regclass AND NOT indisprimary ORDER BY indexrelid);
      FOR index_name IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = '${name}'::regclass
      LOOP
        EXECUTE format('ALTER INDEX ${schema}.%I RENAME TO %I', index_name, index_name || '_first');
      END LOOP;
      ALTER TABLE ${name} RENAME TO ${table}_first;
      CREATE TABLE ${name} (
        LIKE ${name}_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING COMMENTS
      ) PARTITION BY RANGE (${key});
      ALTER TABLE ${name} DROP CONSTRAINT ${table}_bound;
      EXECUTE format('ALTER TABLE ${name} ADD CONSTRAINT %I %s', primary_name, primary_key);
      FOREACH definition IN ARRAY definitions LOOP
        EXECUTE definition;
      END LOOP;
      EXECUTE format(
        'ALTER TABLE ${name} ATTACH PARTITION ${name}_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
      ALTER TABLE ${name}_first DROP CONSTRAINT ${table}_bound;
      CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT${stored};
    END $$`;
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
