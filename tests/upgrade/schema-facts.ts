import { createClient } from '@watchword/postgres';

/** What a program may rely on in the schemas of a database. */
export interface SchemaFacts {
  /** Result by name and arguments. */
  functions: Record<string, string>;
  /** Columns by table: type, whether a value is required, and whether it may be null. */
  tables: Record<string, Record<string, string>>;
}

export const SCHEMAS = ['bus', 'gateway', 'billing', 'dispatch', 'webhooks'];

const FUNCTIONS = `
  SELECT nspname || '.' || proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
    coalesce(pg_get_function_result(p.oid), '') AS result
  FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = pronamespace
  WHERE nspname = ANY ($1) ORDER BY 1`;

const COLUMNS = `
  SELECT nspname || '.' || relname AS table_name, attname AS name,
    format_type(atttypid, atttypmod)
      || CASE WHEN NOT attnotnull THEN ''
           WHEN atthasdef OR attidentity <> '' THEN ' not null, given by default'
           ELSE ' not null' END AS fact
  FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid JOIN pg_namespace AS n ON n.oid = relnamespace
  WHERE nspname = ANY ($1) AND relkind IN ('r', 'p', 'v', 'm', 'c') AND attnum > 0 AND NOT attisdropped
  ORDER BY 1, attnum`;

export async function readFacts(adminUrl: string): Promise<SchemaFacts> {
  const admin = createClient({ url: adminUrl, applicationName: 'schema-facts' });
  await admin.connect();
  try {
    const functions = await admin.query<{ name: string; result: string }>(FUNCTIONS, [SCHEMAS]);
    const columns = await admin.query<{ table_name: string; name: string; fact: string }>(COLUMNS, [
      SCHEMAS,
    ]);
    const tables: SchemaFacts['tables'] = {};
    for (const { table_name: table, name, fact } of columns.rows) {
      (tables[table] ??= {})[name] = fact;
    }
    return {
      functions: Object.fromEntries(functions.rows.map(({ name, result }) => [name, result])),
      tables,
    };
  } finally {
    await admin.end();
  }
}

/** Leaves out functions and columns, named `schema.function` and `schema.table.column`. */
export function withoutUnused(facts: SchemaFacts, unused: readonly string[]): SchemaFacts {
  const { functions, tables } = structuredClone(facts);
  for (const name of unused) {
    for (const one of Object.keys(functions)) {
      if (one.startsWith(`${name}(`)) delete functions[one];
    }
    const at = name.lastIndexOf('.');
    delete tables[name.slice(0, at)]?.[name.slice(at + 1)];
  }
  return { functions, tables };
}

/**
 * Returns what the older program relies on and the newer schemas lack. Empty if they only expand.
 */
export function contractions(older: SchemaFacts, newer: SchemaFacts): string[] {
  const found: string[] = [];
  for (const [name, result] of Object.entries(older.functions)) {
    const now = newer.functions[name];
    if (now === undefined) found.push(`the function ${name} is gone`);
    else if (now !== result) found.push(`the function ${name} answers ${now}, not ${result}`);
  }
  for (const [table, columns] of Object.entries(older.tables)) {
    const now = newer.tables[table];
    if (now === undefined) found.push(`the table ${table} is gone`);
    else found.push(...contractionsOfTable(table, columns, now));
  }
  return found;
}

const MUST_BE_GIVEN = ' not null';
const typeOf = (fact: string): string => fact.split(MUST_BE_GIVEN)[0]!;
const mustBeGiven = (fact: string): boolean => fact.endsWith(MUST_BE_GIVEN);
const mayBeEmpty = (fact: string): boolean => !fact.includes(MUST_BE_GIVEN);

function contractionsOfTable(
  table: string,
  older: Record<string, string>,
  newer: Record<string, string>,
): string[] {
  const found: string[] = [];
  for (const [name, fact] of Object.entries(older)) {
    const now = newer[name];
    if (now === undefined) found.push(`the column ${table}.${name} is gone`);
    else if (typeOf(now) !== typeOf(fact))
      found.push(`the column ${table}.${name} is ${typeOf(now)}, not ${typeOf(fact)}`);
    else if (mustBeGiven(now) && !mustBeGiven(fact))
      found.push(`the column ${table}.${name} must be given now`);
    else if (mayBeEmpty(fact) && !mayBeEmpty(now))
      found.push(`the column ${table}.${name} may not be empty now`);
  }
  for (const [name, fact] of Object.entries(newer)) {
    if (older[name] === undefined && mustBeGiven(fact))
      found.push(
        `the new column ${table}.${name} must be given, which the older program does not do`,
      );
  }
  return found;
}
