import { rmSync } from 'node:fs';
import {
  access,
  constants,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../user-error.js';
import { identityOf, isRunning } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';

export interface DataDirectory {
  readonly path: string;
  /** Synchronous, so that it also works at the exit. */
  release(): void;
}

const LOCK_NAME = 'lock.json';

/**
 * Creates the directory if necessary and locks it for this process. The lock names its owner by
 * process id and start time, so the lock of a killed process counts as free.
 */
export async function takeDataDirectory(dataDir: string): Promise<DataDirectory> {
  const path = resolve(dataDir);
  try {
    await makeDirectory(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    await refuseStrangersFiles(path);
    await takeLock(path);
  } catch (error) {
    throw error instanceof UserError ? error : unusable(path, error as NodeJS.ErrnoException);
  }
  const owner = process.pid;
  return {
    path,
    release() {
      if (process.pid === owner) rmSync(join(path, LOCK_NAME), { force: true });
    },
  };
}

/**
 * Not `recursive`: on file systems that refuse without a reason, like /proc, Node retries without
 * end.
 */
async function makeDirectory(path: string): Promise<void> {
  try {
    await readdir(path);
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await makeDirectory(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Two starts at once. Only one of them gets the lock.
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * Refuses a directory with another user's files. Two users would get separate databases: root's
 * server runs under another account.
 */
async function refuseStrangersFiles(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    if (await isOurs(join(path, name))) continue;
    throw new UserError(
      `DATA_DIR ${path} has files of another user, such as ${name}: ` +
        'start as that user, or set DATA_DIR to another directory.',
    );
  }
}

async function isOurs(file: string): Promise<boolean> {
  try {
    const { uid } = await stat(file);
    // Under root the cluster belongs to the account of the server.
    if (process.getuid?.() === 0) return uid === 0 || /^postgres(?!-)/.test(basename(file));
    await access(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    // The file is gone meanwhile, for example a lock.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return false;
    throw error;
  }
}

function unusable(path: string, error: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EACCES: 'is not writable by this user',
    EPERM: 'is not writable by this user',
    EROFS: 'is on a read-only file system',
    ENOSPC: 'is on a full disk',
    ENOTDIR: 'is not a directory',
    ENOENT: 'cannot be made',
  };
  const reason = reasons[error.code ?? ''];
  if (reason === undefined) return error;
  return new UserError(`DATA_DIR ${path} ${reason}: set DATA_DIR to a directory you can write to.`);
}

/** Creates the lock with its content or not at all: written aside, then linked into place. */
async function takeLock(path: string): Promise<void> {
  const lock = join(path, LOCK_NAME);
  const mine = join(path, `lock.${process.pid}`);
  await writeFile(mine, JSON.stringify(identityOf(process.pid)), { mode: 0o600 });
  try {
    while (!(await tryLink(mine, lock))) await removeStale(lock, `${mine}.stale`, path);
  } finally {
    await rm(mine, { force: true });
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(lock: string, aside: string, path: string): Promise<void> {
  const seen = await readFile(lock, 'utf8').catch(() => '');
  const owner = parse(seen);
  if (owner && isRunning(owner)) {
    throw new UserError(
      `DATA_DIR ${path} is in use by a running Watchword (process ${owner.pid}): ` +
        'stop that one, or set DATA_DIR to another directory.',
    );
  }
  // Two starts may find the same stale lock. The slower one must not remove the faster one's.
  await rename(lock, aside).catch(() => undefined);
  const moved = await readFile(aside, 'utf8').catch(() => '');
  if (moved !== seen) await tryLink(aside, lock);
  await rm(aside, { force: true });
}

function parse(text: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(text) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
