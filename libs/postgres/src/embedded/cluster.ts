import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { canReach } from './server-account.js';
import type { ServerAccount } from './server-account.js';
import { MAJOR_VERSION, serverEnvironment, SUPERUSER } from './server-settings.js';

/** Directory of a root installation for files that must lie outside its own, private one. */
const SYSTEM_DIRECTORY = '/var/lib/watchword';

export interface Cluster {
  /** PostgreSQL's data directory. Its path has no symbolic links. */
  path: string;
  password: string;
}

/** Returns where to copy binaries to when node_modules is unreachable for the server. */
export function copyDirectory(directory: string, account: ServerAccount | undefined): string {
  return account ? SYSTEM_DIRECTORY : directory;
}

/** Returns the database's place for this directory, or undefined. */
export async function clusterIn(directory: string): Promise<string | undefined> {
  const pointer = await readFile(join(directory, 'postgres-location'), 'utf8').catch(() => '');
  const path = pointer.trim() || join(directory, 'postgres');
  const version = await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return version === undefined ? undefined : path;
}

/** Finds the cluster of `directory`, or creates it. */
export async function openCluster(
  directory: string,
  binaries: string,
  account: ServerAccount | undefined,
): Promise<Cluster> {
  const path = await placeOf(directory, account);
  const password = await storedSecret(join(directory, 'postgres-password'));
  const version = await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    await create(path, password, binaries, account);
  } else if (version.trim() !== MAJOR_VERSION) {
    throw new Error(
      `The database in ${path} was made by PostgreSQL ${version.trim()}, this program brings ` +
        `${MAJOR_VERSION}. Dump it with the old version, or use another DATA_DIR.`,
    );
  }
  return { path, password };
}

/**
 * Returns the cluster's place: normally `<directory>/postgres`. When the server's account cannot
 * reach it, because a directory above is private to root, another place, whose path is in the file
 * `postgres-location`.
 */
async function placeOf(directory: string, account: ServerAccount | undefined): Promise<string> {
  const real = await realpath(directory);
  const pointer = join(real, 'postgres-location');
  const pointed = await readFile(pointer, 'utf8').catch(() => undefined);
  if (pointed !== undefined) return pointed.trim();
  if (account && (await canReach(account, dirname(real)))) await letThrough(real, account);
  if (await canReach(account, real)) return join(real, 'postgres');
  const place = join(SYSTEM_DIRECTORY, randomBytes(8).toString('hex'));
  await mkdir(place, { recursive: true, mode: 0o755 });
  await writeFile(join(place, 'owner'), `${real}\n`);
  await writeFile(pointer, `${join(place, 'postgres')}\n`);
  return join(place, 'postgres');
}

export async function removeCluster(directory: string, { path }: Cluster): Promise<void> {
  const elsewhere = dirname(path) !== (await realpath(directory));
  await rm(elsewhere ? dirname(path) : path, { recursive: true, force: true });
}

/** Lets the server's group pass through our directory, not list it. Our files in it stay 0600. */
async function letThrough(directory: string, account: ServerAccount): Promise<void> {
  const { uid, mode } = await stat(directory);
  if (await canReach(account, directory)) return;
  if (uid !== process.getuid?.()) return;
  await chown(directory, uid, account.gid);
  await chmod(directory, (mode & 0o7777) | 0o010);
}

const UNFINISHED_MARK = '.unfinished-';

/**
 * Removes unfinished clusters. Each has its own name: the initdb of a killed start may still write.
 */
async function removeUnfinished(path: string): Promise<void> {
  const parent = dirname(path);
  for (const name of await readdir(parent)) {
    if (!name.startsWith(basename(path) + UNFINISHED_MARK)) continue;
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Creates a cluster aside and renames it, so that a kill leaves nothing that looks like a cluster.
 */
async function create(
  path: string,
  password: string,
  binaries: string,
  account: ServerAccount | undefined,
): Promise<void> {
  await removeUnfinished(path);
  const unfinished = `${path}${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`;
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (account) await chown(unfinished, account.uid, account.gid);
    await initialise(unfinished, password, binaries, account);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(
  into: string,
  password: string,
  binaries: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const passwordFile = `${into}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (account) await chown(passwordFile, account.uid, account.gid);
    await promisify(execFile)(
      join(binaries, 'bin', 'initdb'),
      [
        `--pgdata=${into}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        '--sync-method=syncfs',
      ],
      { ...account, cwd: '/', env: serverEnvironment },
    );
  } catch (error) {
    const output = (error as { stderr?: string }).stderr?.trim();
    throw new Error(`The embedded PostgreSQL could not be initialised: ${output || error}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function storedSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept) return kept.trim();
  const secret = randomBytes(24).toString('hex');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}
