import { execFile, spawn } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { findBinaries } from './binaries.js';
import {
  copyDirectory,
  formerMark,
  keptSecret,
  majorVersion,
  placeOf,
  removeUnfinished,
  serverEnvironment,
  superuser,
  unfinishedMark,
} from './cluster.js';
import { serverAccount, type ServerAccount } from './server-account.js';
import { serverSettings } from './server-settings.js';

/** Returns the database's place for this directory, or undefined. */
export async function clusterIn(directory: string): Promise<string | undefined> {
  const pointer = await readFile(join(directory, 'postgres-location'), 'utf8').catch(() => '');
  const path = pointer.trim() || join(directory, 'postgres');
  const version = await readFile(join(path, 'PG_VERSION'), 'utf8').catch(() => undefined);
  return version === undefined ? undefined : path;
}

/**
 * Creates the cluster of this directory from the archive of a base backup, with this directory's
 * superuser password. The new cluster is complete before it replaces the present one, which is
 * renamed. Returns the new name of the latter. No server may run.
 */
export async function restoreCluster(
  directory: string,
  archive: Readable,
): Promise<string | undefined> {
  const account = await serverAccount();
  const binaries = await findBinaries(account, copyDirectory(directory, account));
  const path = await placeOf(directory, account);
  await removeUnfinished(path);
  const unfinished = `${path}${unfinishedMark}${randomBytes(4).toString('hex')}`;
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (account) await chown(unfinished, account.uid, account.gid);
    await unpack(archive, unfinished, account);
    await checkVersion(unfinished);
    const password = await keptSecret(join(directory, 'postgres-password'));
    await recover(join(binaries, 'bin', 'postgres'), unfinished, password, account);
    return await takePlace(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Unpacks as the server's account, which then owns all files. */
async function unpack(archive: Readable, into: string, account: ServerAccount | undefined) {
  const tar = spawn('tar', ['--extract', '--no-same-owner', '--file=-', `--directory=${into}`], {
    ...account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let said = '';
  tar.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', resolve);
  });
  const [exitCode, given] = await Promise.all([
    ended,
    pipeline(archive, tar.stdin).catch((error: unknown) => error),
  ]);
  if (given !== undefined && !saysTarEnded(given)) throw given;
  if (exitCode !== 0) throw new Error(`The archive cannot be unpacked: ${said.trim()}`);
  if (given !== undefined) throw given;
}

/** Returns whether the error only says that tar ended. Tar's own words say why. */
function saysTarEnded(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

async function checkVersion(path: string): Promise<void> {
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim();
  if (version === majorVersion) return;
  throw new Error(`The archive is of PostgreSQL ${version}, this program brings ${majorVersion}.`);
}

/**
 * Runs PostgreSQL in single-user mode, without a port. It recovers the copy and sets the password.
 */
async function recover(
  program: string,
  path: string,
  password: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const settings = Object.entries({ ...serverSettings, exit_on_error: 'on' });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const running = promisify(execFile)(program, ['--single', '-D', path, ...options, 'postgres'], {
    ...account,
    cwd: '/',
    env: serverEnvironment,
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(`ALTER ROLE ${superuser} PASSWORD '${password}'\n`);
  await running.catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`The restored PostgreSQL does not start: ${stderr.trim()}`, { cause: error });
  });
}

/** Puts the new cluster in place. If that fails, the former one gets its place back. */
export async function takePlace(unfinished: string, path: string): Promise<string | undefined> {
  const former = await renameAside(path);
  try {
    await rename(unfinished, path);
  } catch (error) {
    if (former !== undefined) await rename(former, path);
    throw error;
  }
  return former;
}

async function renameAside(path: string): Promise<string | undefined> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const former = `${path}${formerMark}${stamp}`;
  try {
    await rename(path, former);
    return former;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
