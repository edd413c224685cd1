import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';
import { DatabaseNewerThanProgram } from './database-errors.js';
import { roleOf } from './provision.js';
import type { SchemaPlan } from './schema-plan.js';

/** Table with one row per schema: the migration that a program must know to use the schema. */
const table = 'oldest_program';

/**
 * Refuses a schema that a newer program has migrated, unless that program declared that this one
 * can use it. Returns whether a newer program was there.
 */
export async function refuseTooOld(
  client: Client,
  plan: SchemaPlan,
  recorded: readonly string[],
): Promise<boolean> {
  const known = new Set(plan.migrations.map(({ name }) => name));
  const unknown = recorded.find((name) => !known.has(name));
  if (unknown === undefined) return false;
  const oldest = await readOldestProgram(client, plan.schema);
  if (oldest === undefined || !known.has(oldest)) {
    throw new DatabaseNewerThanProgram(plan.schema, unknown);
  }
  return true;
}

/**
 * Declares the oldest program. Only a program that knows every migration of the schema may change
 * the row.
 */
export async function declareOldestProgram(
  admin: Client,
  { schema, oldestProgram, services = [schema] }: SchemaPlan,
): Promise<void> {
  const name = `${escapeIdentifier(schema)}.${table}`;
  await admin.query(createOldestProgramTable(schema, services));
  if (oldestProgram === undefined) {
    await admin.query(`DELETE FROM ${name}`);
    return;
  }
  await admin.query(
    `INSERT INTO ${name} AS declared (migration) VALUES ($1)
     ON CONFLICT (is_only) DO UPDATE SET migration = excluded.migration, declared_at = now()
       WHERE declared.migration <> excluded.migration`,
    [oldestProgram.name],
  );
}

export function createOldestProgramTable(schema: string, services: readonly string[]): string {
  const name = `${escapeIdentifier(schema)}.${table}`;
  const roles = services.map((service) => escapeIdentifier(roleOf(service))).join(', ');
  return `
    CREATE TABLE IF NOT EXISTS ${name} (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      migration text NOT NULL,
      declared_at timestamptz NOT NULL DEFAULT now()
    );
    REVOKE INSERT, UPDATE, DELETE ON ${name} FROM ${roles}`;
}

async function readOldestProgram(client: Client, schema: string): Promise<string | undefined> {
  const name = `${schema}.${table}`;
  const found = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [name]);
  if (!found.rows[0].found) return undefined;
  const declared = await client.query<{ migration: string }>(`SELECT migration FROM ${name}`);
  return declared.rows[0]?.migration;
}
