import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { busPlan, provisionBus } from '@watchword/bus';
import { schemaPlanOf, type ServiceDefinition } from '@watchword/platform';
import {
  createClient,
  FORGET_PASSWORD,
  migrate,
  packCluster,
  roleOf,
  type SchemaPlan,
  startEmbeddedPostgres,
} from '@watchword/postgres';
import { preparedClusterFile } from './prepared-cluster-file.js';

/** For a cluster that lives for seconds and is packed as it is. */
const SETTINGS = { fsync: 'off', autovacuum: 'off', wal_recycle: 'off', min_wal_size: '32MB' };

/**
 * Makes the cluster that a first start copies (ADR 70): roles, schemas and functions are there, as
 * `migrate` leaves them, and no password. Does nothing where it is already there.
 */
export async function prepareCluster(
  load: () => Promise<readonly ServiceDefinition[]>,
): Promise<void> {
  const file = await preparedClusterFile();
  if (file === undefined || existsSync(file)) return;
  const definitions = await load();
  const plans = [...definitions.map(schemaPlanOf), busPlan];
  const directory = await mkdtemp(join(tmpdir(), 'watchword-cluster-'));
  try {
    await mkdir(dirname(file), { recursive: true });
    await makeCluster(directory, plans, file);
    await removeOthers(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeCluster(
  directory: string,
  plans: readonly SchemaPlan[],
  file: string,
): Promise<void> {
  const server = await startEmbeddedPostgres({ directory, settings: SETTINGS });
  try {
    const adminUrl = server.url;
    const names = plans.map(({ schema }) => schema);
    const drawn = names.map((name) => [name, randomBytes(24).toString('hex')]);
    await migrate({ adminUrl, passwords: Object.fromEntries(drawn), plans });
    await provisionBus(adminUrl);
    await forgetPasswords(adminUrl, names);
    await server.stop();
    await packCluster(server.directory, file);
  } finally {
    await server.destroy();
  }
}

async function forgetPasswords(adminUrl: string, names: readonly string[]): Promise<void> {
  const admin = createClient({ url: adminUrl, applicationName: 'watchword-prepare' });
  await admin.connect();
  try {
    const roles = names.map(
      (name) =>
        `ALTER ROLE ${roleOf(name)} PASSWORD NULL; COMMENT ON ROLE ${roleOf(name)} IS NULL;`,
    );
    await admin.query(`${roles.join('\n')}\n${FORGET_PASSWORD}`);
    await admin.query('CHECKPOINT');
  } finally {
    await admin.end();
  }
}

/** Removes the clusters of former programs. */
async function removeOthers(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (name !== basename(file)) await rm(join(dirname(file), name), { force: true });
  }
}
