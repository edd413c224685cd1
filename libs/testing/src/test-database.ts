import { createHash, randomBytes } from 'node:crypto';
import {
  createClient,
  migrate,
  openServiceDatabase,
  readSqlFiles,
  roleOf,
  urlFor,
} from '@watchword/postgres';
import type {
  MigrationClass,
  SchemaPlan,
  ServiceDatabase,
  ServiceDatabaseOptions,
} from '@watchword/postgres';
import { testServerUrl } from './test-server.js';

export interface ClonedDatabase {
  /** URL of the superuser. */
  readonly adminUrl: string;
  urlOf(service: string): string;
  drop(): Promise<void>;
}

export interface TestDatabaseOptions extends Partial<
  Pick<ServiceDatabaseOptions, 'poolSize' | 'statementTimeoutMs'>
> {
  service: string;
  migrations: readonly MigrationClass[];
  /** Folder of the service's SQL functions. */
  functions?: URL;
  /** Further schemas in the same database, for example that of the bus. */
  plans?: readonly SchemaPlan[];
}

export type TestDatabase = ServiceDatabase & ClonedDatabase;

/** Creates a fresh, migrated database of one service, opened under the service's role. */
export async function testDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const { service, migrations, functions, plans = [], poolSize = 4, ...rest } = options;
  const clone = await cloneDatabase([{ schema: service, migrations, functions }, ...plans]);
  const url = clone.urlOf(service);
  const database = openServiceDatabase({ ...rest, service, url, poolSize });
  return {
    ...database,
    ...clone,
    async drop() {
      await database.close();
      await clone.drop();
    },
  };
}

const PASSWORD = 'test';
/** Key of an advisory lock (any constant). One process builds templates at a time. */
const TEMPLATE_LOCK = 77_65_74;

/**
 * Migrates a template once per set of migrations and functions. Each further database is a copy of
 * it.
 */
export async function cloneDatabase(plans: readonly SchemaPlan[]): Promise<ClonedDatabase> {
  const serverUrl = await testServerUrl();
  const template = await templateOf(serverUrl, plans);
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdmin(serverUrl, (admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  const adminUrl = databaseUrl(serverUrl, name);
  return {
    adminUrl,
    urlOf: (service) => urlFor(adminUrl, roleOf(service), PASSWORD),
    async drop() {
      const statement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
      await asAdmin(serverUrl, (admin) => admin.query(statement));
    },
  };
}

async function templateOf(serverUrl: string, plans: readonly SchemaPlan[]): Promise<string> {
  const name = `template_${await fingerprint(plans)}`;
  return asAdmin(serverUrl, async (admin) => {
    const exists = async () => {
      const found = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      return found.rowCount === 1;
    };
    if (await exists()) return name;
    await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await exists()) return name;
    const unfinished = `${name}_unfinished`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${unfinished}`);
    const services = new Set(plans.flatMap((plan) => plan.services ?? [plan.schema]));
    await migrate({
      adminUrl: databaseUrl(serverUrl, unfinished),
      passwords: Object.fromEntries([...services].map((service) => [service, PASSWORD])),
      plans,
    });
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    return name;
  });
}

async function fingerprint(plans: readonly SchemaPlan[]): Promise<string> {
  const hash = createHash('sha256');
  for (const { schema, migrations, functions, services = [] } of plans) {
    const files = functions ? await readSqlFiles(functions) : [];
    hash.update(JSON.stringify([schema, services, migrations.map(String), files]));
  }
  return hash.digest('hex').slice(0, 16);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function asAdmin<Result>(
  url: string,
  work: (admin: ReturnType<typeof createClient>) => Promise<Result>,
): Promise<Result> {
  const admin = createClient({ url, applicationName: 'watchword-tests', statementTimeoutMs: 0 });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}
