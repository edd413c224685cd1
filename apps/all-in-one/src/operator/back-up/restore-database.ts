import { pipeline } from 'node:stream';
import { UserError } from '@watchword/host';
import { createClient } from '@watchword/postgres';
import { repairOutbox } from '../commands/repair-outbox.command.js';
import type { OperatorContext } from '../operator-command.js';
import { contentOf, counting } from './backup-file.js';
import { findClient, restoreDump } from './postgres-clients.js';
import type { RestoreWork } from './restore-directory.js';

type Client = ReturnType<typeof createClient>;

/** Restores the database of DATABASE_URL, while no process of Watchword uses it. */
export async function restoreIntoDatabase(
  { path, header, replace, passed }: RestoreWork,
  context: OperatorContext,
): Promise<void> {
  const url = await context.adminUrl();
  const schemas = [...context.definitions.map(({ name }) => name as string), 'bus'];
  const client = createClient({
    url,
    applicationName: 'watchword-restore',
    statementTimeoutMs: 0,
  });
  await client.connect();
  let program: string;
  try {
    const major = await majorOf(client);
    if (major < header.postgres) {
      throw new UserError(
        `The backup is of PostgreSQL ${header.postgres}, and this server is ${major}: it must not be older.`,
      );
    }
    program = await findClient('pg_restore', major);
    await refuseConnected(client);
    await makeEmpty(client, schemas, replace);
    await makeRoles(client, header.roles);
  } finally {
    await client.end();
  }
  const content = pipeline(contentOf(path), counting(passed), () => undefined);
  await restoreDump(program, url, content);
  await repairOutbox.run(context);
}

async function majorOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major`,
  );
  return rows[0]!.major;
}

async function refuseConnected(client: Client): Promise<void> {
  const { rows } = await client.query<{ names: string[] | null }>(
    `SELECT array_agg(DISTINCT usename::text) AS names FROM pg_stat_activity
      WHERE datname = current_database() AND usename LIKE 'watchword\\_%' AND pid <> pg_backend_pid()`,
  );
  const names = rows[0]?.names ?? [];
  if (names.length === 0) return;
  throw new UserError(`Stop every process of Watchword first: ${names.join(', ')} are connected.`);
}

async function makeEmpty(client: Client, schemas: string[], replace: boolean): Promise<void> {
  const { rows } = await client.query<{ ours: string[]; count: number }>(
    `SELECT array(SELECT nspname::text FROM pg_namespace WHERE nspname = ANY($1)) AS ours,
            (SELECT count(*)::int FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
              WHERE relkind IN ('r', 'p') AND nspname <> 'information_schema'
                AND nspname NOT LIKE 'pg\\_%') AS count`,
    [schemas],
  );
  const { ours, count } = rows[0]!;
  if (count === 0 && ours.length === 0) return;
  if (!replace) {
    throw new UserError(
      `The database is not empty: it has ${count} tables. With --replace the schemas ` +
        `${schemas.join(', ')} are deleted with all that is in them.`,
    );
  }
  // One statement each: together they could need more locks than the server has room for.
  for (const schema of ours) await client.query(`DROP SCHEMA ${schema} CASCADE`);
}

/**
 * Creates the roles. Rights of a missing role would be lost. The next start sets their passwords.
 */
async function makeRoles(client: Client, names: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT format('CREATE ROLE %I', name) ||
              CASE WHEN name LIKE 'watchword\\_%' THEN ' LOGIN' ELSE '' END AS text
       FROM unnest($1::text[]) AS name
      WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)`,
    [names],
  );
  for (const { text } of rows) await client.query(text);
}
