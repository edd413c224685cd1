import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';
import { roleOf } from './provision.js';

/** An SQL file that can be applied repeatedly, for example `CREATE OR REPLACE FUNCTION`. */
export interface SqlFile {
  /** Path within the service's sources, for example `refunds/refund-messages.sql`. */
  name: string;
  text: string;
}

/**
 * Returns the folder of a service's `.sql` files, always its `src`. The compiler copies no `.sql`
 * files to `dist`, so the built program reads them from the sources, and the Docker image keeps
 * those files of `src`.
 *
 * @param moduleUrl URL of the service's `index`, in `src` or `dist`.
 */
export function sqlFolder(moduleUrl: string): URL {
  return new URL('../src/', moduleUrl);
}

/** Reads every `.sql` file below the folder, but those of migrations, sorted by name. */
export async function readSqlFiles(folder: URL): Promise<SqlFile[]> {
  const root = fileURLToPath(folder);
  const names = (await readdir(root, { recursive: true })).filter(
    (name) => name.endsWith('.sql') && !name.startsWith('migrations/'),
  );
  return Promise.all(
    names.toSorted().map(async (name) => ({
      name,
      text: await readFile(join(root, name), 'utf8'),
    })),
  );
}

const FUNCTIONS_TABLE = 'sql_functions';

export interface ApplyOptions {
  schema: string;
  services: readonly string[];
  files: readonly SqlFile[];
  /** Applies every file, even with an unchanged hash, because the tables below have changed. */
  all: boolean;
}

/**
 * Applies the files with a hash other than the recorded one, and records them. Returns the names
 * of the applied files. The caller holds the lock of all migrations and has begun a transaction.
 */
export async function applySqlFiles(admin: Client, options: ApplyOptions): Promise<string[]> {
  const { schema, files } = options;
  const table = `${escapeIdentifier(schema)}.${FUNCTIONS_TABLE}`;
  await admin.query(createFunctionsTable(schema, options.services));
  const { rows } = await admin.query<{ file: string; sha256: string }>(
    `SELECT file, sha256 FROM ${table}`,
  );
  const recorded = new Map(rows.map(({ file, sha256 }) => [file, sha256]));
  const changed = files.filter(({ name, text }) => recorded.get(name) !== hashOf(text));
  const names = files.map(({ name }) => name);
  const isCurrent = changed.length === 0 && rows.every(({ file }) => names.includes(file));
  if (isCurrent && !options.all) return [];
  const pending = options.all ? files : changed;
  // A file may name a function of a later file.
  await admin.query('SET LOCAL check_function_bodies = off');
  for (const file of pending) await apply(admin, table, schema, file);
  await admin.query(`DELETE FROM ${table} WHERE file <> ALL ($1)`, [names]);
  return pending.map(({ name }) => name);
}

export function createFunctionsTable(schema: string, services: readonly string[]): string {
  const table = `${escapeIdentifier(schema)}.${FUNCTIONS_TABLE}`;
  const roles = services.map((service) => escapeIdentifier(roleOf(service))).join(', ');
  return `
    CREATE TABLE IF NOT EXISTS ${table} (
      file text COLLATE "C" PRIMARY KEY,
      sha256 text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    );
    REVOKE INSERT, UPDATE, DELETE ON ${table} FROM ${roles}`;
}

async function apply(admin: Client, table: string, schema: string, file: SqlFile): Promise<void> {
  await admin.query(file.text).catch((error: unknown) => {
    throw new Error(`${schema}: ${file.name} cannot be applied: ${(error as Error).message}`, {
      cause: error,
    });
  });
  await admin.query(
    `INSERT INTO ${table} (file, sha256) VALUES ($1, $2)
     ON CONFLICT (file) DO UPDATE SET sha256 = excluded.sha256, applied_at = now()`,
    [file.name, hashOf(file.text)],
  );
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
