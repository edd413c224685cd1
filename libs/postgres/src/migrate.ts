import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  DatabaseOfAnotherVersion,
  explainNotReached,
  explainRefused,
  LOCK_NOT_AVAILABLE,
  sqlState,
} from './database-errors.js';
import { createClient } from './pool.js';
import { provisionRoles, schemaRights } from './provision.js';
import { isCurrent, markRights, readRecorded } from './recorded.js';
import type { SchemaPlan } from './schema-plan.js';
import { applySqlFiles, readSqlFiles, type SqlFile } from './sql-functions.js';

/** A schema after `migrate`. */
export interface SchemaState {
  schema: string;
  /** Name of the last migration. Null without migrations. */
  at: string | null;
  /** Number of migrations that this call ran. */
  ran: number;
}

export interface MigrateOptions {
  /** URL of a user that may create roles and schemas. */
  adminUrl: string;
  /** Password of each service's login role, by service. */
  passwords: Readonly<Record<string, string>>;
  plans: readonly SchemaPlan[];
  /** Called with the services that had another password before. */
  onOtherPasswords?: (services: string[]) => void;
  /** Called before a schema changes. */
  onMigration?: (schema: string, migration: string) => void;
  /** Called after `.sql` files were applied. */
  onFunctions?: (schema: string, files: readonly string[]) => void;
}

/** One lock for all schemas: concurrent starts migrate one after the other. */
const LOCK_KEY = 0x77_61_74_63;
const MIGRATIONS_TABLE = 'migrations';

/**
 * Brings every schema up to date: roles, schemas, rights, forward migrations, then SQL functions.
 * A schema of which all this is recorded is left as it is.
 * Each migration is a transaction, and so is the rest of a schema before and after them. Before any
 * change it refuses a database with migrations that this program does not know.
 */
export async function migrate(options: MigrateOptions): Promise<SchemaState[]> {
  const [turn, admin] = [connectionOf(options), connectionOf(options)];
  try {
    await Promise.all([turn.connect(), admin.connect()]).catch((error: unknown) => {
      throw explainNotReached(error, options.adminUrl);
    });
    await waitForTurn(turn);
    const schemas = options.plans.map(({ schema }) => schema);
    const recorded = await readRecorded(admin, schemas);
    options.plans.forEach((plan) => refuseUnknown(plan, recorded.get(plan.schema)!.migrations));
    const { adminUrl, passwords } = options;
    const { others, hasNew } = await provisionRoles(admin, adminUrl, passwords).catch(refused);
    if (others.length > 0) options.onOtherPasswords?.(others);
    const states: SchemaState[] = [];
    for (const plan of options.plans) {
      const { schema, functions } = plan;
      const files = functions === undefined ? [] : await readSqlFiles(functions);
      const found = recorded.get(schema)!;
      const asIs = !hasNew && isCurrent(plan, files, found);
      const at = found.migrations.at(-1) ?? null;
      const bring = () => bringUpToDate(admin, { ...plan, files }, options);
      states.push(asIs ? { schema, at, ran: 0 } : await bring());
    }
    return states;
  } finally {
    await Promise.all([turn.end(), admin.end()]);
  }
}

function connectionOf({ adminUrl }: MigrateOptions): Admin {
  return createClient({
    url: adminUrl,
    applicationName: 'watchword-migrate',
    statementTimeoutMs: 0,
  });
}

/**
 * Holds the lock in a transaction that stays open until `turn` ends: a pooler may give a session to others, but no
 * transaction. Asks again and again: a statement that waits has a snapshot, and `CREATE INDEX CONCURRENTLY` of the
 * process whose turn it is waits for all of them.
 */
async function waitForTurn(turn: Admin): Promise<void> {
  await turn.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  const ask = () => turn.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [LOCK_KEY]);
  while (!(await ask()).rows[0].locked) await sleep(LOCK_PAUSE_MS);
}

/** One transaction, so one write to the disk, where no migration is pending. */
async function bringUpToDate(
  admin: Admin,
  plan: SchemaPlan & { files: readonly SqlFile[] },
  options: MigrateOptions,
): Promise<SchemaState> {
  const { schema, services = [schema] } = plan;
  await admin.query('BEGIN');
  await admin.query(schemaRights(schema, services)).catch(refused);
  const pending = await pendingMigrations(admin, plan);
  pending.forEach((name) => options.onMigration?.(plan.schema, name));
  if (pending.length > 0) {
    await admin.query('COMMIT');
    await runMigrations(options.adminUrl, plan);
    await admin.query('BEGIN');
  }
  await applyFunctions(admin, plan, pending.length > 0, options.onFunctions);
  await admin.query(markRights(plan));
  const at = (await recordedMigrations(admin, plan.schema)).at(-1) ?? null;
  await admin.query('COMMIT');
  return { schema: plan.schema, at, ran: pending.length };
}

/**
 * Returns the state of a schema as the role of its service sees it. Changes nothing. Refuses a
 * schema with migrations that this program does not know.
 */
export async function inspectSchema(
  url: string,
  plan: SchemaPlan,
): Promise<{ state: SchemaState; pending: string[] }> {
  const client = createClient({ url, applicationName: 'watchword-inspect' });
  await client.connect().catch((error: unknown) => {
    throw explainNotReached(error, url);
  });
  try {
    const recorded = await recordedMigrations(client, plan.schema);
    refuseUnknown(plan, recorded);
    const pending = await pendingMigrations(client, plan);
    const at = recorded.at(-1) ?? null;
    return { state: { schema: plan.schema, at, ran: 0 }, pending };
  } finally {
    await client.end();
  }
}

type Admin = ReturnType<typeof createClient>;

const refused = (error: unknown): never => {
  throw explainRefused(error);
};

async function applyFunctions(
  admin: Admin,
  plan: SchemaPlan & { files: readonly SqlFile[] },
  all: boolean,
  onFunctions: MigrateOptions['onFunctions'],
): Promise<void> {
  const { schema, services = [schema], functions, files } = plan;
  if (functions === undefined) return;
  const applied = await applySqlFiles(admin, { schema, services, files, all });
  if (applied.length > 0) onFunctions?.(schema, applied);
}

async function recordedMigrations(admin: Admin, schema: string): Promise<string[]> {
  const table = `${schema}.${MIGRATIONS_TABLE}`;
  const found = await admin.query('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  if (!found.rows[0].found) return [];
  const recorded = await admin.query(`SELECT name FROM ${table} ORDER BY timestamp`);
  return recorded.rows.map((row: { name: string }) => row.name);
}

function refuseUnknown(plan: SchemaPlan, recorded: readonly string[]): void {
  const known = new Set(plan.migrations.map(({ name }) => name));
  const unknown = recorded.find((name) => !known.has(name));
  if (unknown !== undefined) throw new DatabaseOfAnotherVersion(plan.schema, unknown);
}

async function pendingMigrations(admin: Admin, plan: SchemaPlan): Promise<string[]> {
  const recorded = new Set(await recordedMigrations(admin, plan.schema));
  return plan.migrations.map(({ name }) => name).filter((name) => !recorded.has(name));
}

/**
 * Milliseconds. A migration that waits for a lock delays all later statements, so it stops soon,
 * lets them pass, and starts again.
 */
const LOCK_WAIT_MS_MAX = 150;
const LOCK_PAUSE_MS = 250;
const LOCK_TIMEOUT_MS = 120_000;

async function runMigrations(adminUrl: string, plan: SchemaPlan): Promise<void> {
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(LOCK_PAUSE_MS)) {
    try {
      return await runMigrationsOnce(adminUrl, plan);
    } catch (error) {
      const cause = (error as { driverError?: unknown } | undefined)?.driverError ?? error;
      if (sqlState(cause) !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
    }
  }
}

/** Loads TypeORM only when needed: loading is slow, and most starts have nothing to migrate. */
async function runMigrationsOnce(adminUrl: string, plan: SchemaPlan): Promise<void> {
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    // Its errors are instances of our classes, also where this module is part of a bundle.
    driver: pg,
    url: adminUrl,
    schema: plan.schema,
    migrations: [...plan.migrations],
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    logging: false,
    poolSize: 1,
    applicationName: 'watchword-migrate',
    extra: {
      options: `-c search_path=${plan.schema} -c timezone=UTC -c lock_timeout=${LOCK_WAIT_MS_MAX}`,
    },
  });
  await dataSource.initialize().catch((error: unknown) => {
    throw explainNotReached(error, adminUrl);
  });
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}
