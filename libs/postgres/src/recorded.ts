import { createHash } from 'node:crypto';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Client } from 'pg';
import { schemaRights } from './provision.js';
import type { SchemaPlan } from './schema-plan.js';
import { createFunctionsTable, hashOf, type SqlFile } from './sql-functions.js';

/** What earlier starts have recorded of a schema. */
export interface Recorded {
  /** Hash of the statements that gave it its rights and its tables of records. */
  mark: string | null;
  /** In their order. */
  migrations: string[];
  /** Hashes of the `.sql` files, by name. */
  functions: Map<string, string>;
}

const MARK = 'Watchword, rights ';

const READERS = {
  migrations: `SELECT %L AS schema, 'migrations' AS kind, name::text AS key, NULL::text AS value, timestamp AS place FROM %T`,
  sql_functions: `SELECT %L, 'sql_functions', file, sha256, 0 FROM %T`,
} as const;

type Kind = keyof typeof READERS;

/** Reads what is recorded of all schemas, in two statements. */
export async function readRecorded(
  client: Client,
  schemas: readonly string[],
): Promise<ReadonlyMap<string, Recorded>> {
  const found = await client.query<{ schema: string; mark: string | null; kinds: Kind[] }>(
    `SELECT schema, obj_description(to_regnamespace(schema), 'pg_namespace') AS mark,
            array(SELECT kind FROM unnest($2::text[]) AS kind
                   WHERE to_regclass(quote_ident(schema) || '.' || kind) IS NOT NULL) AS kinds
       FROM unnest($1::text[]) AS schema`,
    [schemas, Object.keys(READERS)],
  );
  const recorded = new Map<string, Recorded>();
  const selects: string[] = [];
  for (const { schema, mark, kinds } of found.rows) {
    recorded.set(schema, { mark, migrations: [], functions: new Map() });
    for (const kind of kinds) {
      const table = `${escapeIdentifier(schema)}.${kind}`;
      selects.push(READERS[kind].replace('%L', escapeLiteral(schema)).replace('%T', table));
    }
  }
  if (selects.length === 0) return recorded;
  const { rows } = await client.query<{ schema: string; kind: Kind; key: string; value: string }>(
    `${selects.join(' UNION ALL ')} ORDER BY place`,
  );
  for (const { schema, kind, key, value } of rows) {
    const one = recorded.get(schema)!;
    if (kind === 'migrations') one.migrations.push(key);
    else one.functions.set(key, value);
  }
  return recorded;
}

/** Returns whether a start would leave the schema as it is. */
export function isCurrent(
  plan: SchemaPlan,
  files: readonly SqlFile[],
  { mark, migrations, functions }: Recorded,
): boolean {
  return (
    mark === markOf(plan) &&
    plan.migrations.every(({ name }) => migrations.includes(name)) &&
    functions.size === files.length &&
    files.every(({ name, text }) => functions.get(name) === hashOf(text))
  );
}

/** Records that the schema has its rights. */
export function markRights(plan: SchemaPlan): string {
  const { schema } = plan;
  return `COMMENT ON SCHEMA ${escapeIdentifier(schema)} IS ${escapeLiteral(markOf(plan))}`;
}

function markOf({ schema, services = [schema] }: SchemaPlan): string {
  const hash = createHash('sha256')
    .update(schemaRights(schema, services))
    .update(createFunctionsTable(schema, services));
  return MARK + hash.digest('hex').slice(0, 16);
}
