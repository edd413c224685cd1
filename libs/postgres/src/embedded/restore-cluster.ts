import { chown, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findBinaries } from './binaries.js';
import { checkVersion, recover, unpack } from './cluster-archive.js';
import {
  copyDirectory,
  FORMER_MARK,
  keptSecret,
  placeOf,
  removeUnfinished,
  UNFINISHED_MARK,
} from './cluster.js';
import { serverAccount } from './server-account.js';

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
  const unfinished = `${path}${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`;
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
  const former = `${path}${FORMER_MARK}${stamp}`;
  try {
    await rename(path, former);
    return former;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
