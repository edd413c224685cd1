import { execFile } from 'node:child_process';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recover, unpackFile } from './cluster-archive.js';
import { renewIdentity } from './cluster-identity.js';
import { ControlFile } from './control-file.js';
import type { ServerAccount } from './server-account.js';
import { serverEnvironment, SUPERUSER } from './server-settings.js';

/**
 * A cluster from a file, instead of a new one that is then migrated: a first start copies it in a
 * fraction of the time (ADR 70). What must be an installation's own is drawn for each copy: the
 * superuser's password, the identifier of the cluster and its nonce. The file has no password.
 */
export interface PreparedCluster {
  /** Called when there is no cluster yet. Returns a file of `packCluster`, if there is one. */
  find: () => Promise<string | undefined>;
  /** Called when the file cannot be used. A new cluster is made then. */
  onUnusable: (error: Error) => void;
}

/**
 * Writes the cluster of a stopped server into a file: all of it or nothing. Throws when the server
 * was not shut down: each copy would begin with a recovery.
 */
export async function packCluster(cluster: string, file: string): Promise<void> {
  const { isShutDown } = await ControlFile.of(cluster);
  if (!isShutDown) throw new Error(`The server of ${cluster} was killed, not shut down.`);
  const unfinished = `${file}.${process.pid}`;
  try {
    await promisify(execFile)('tar', [
      '--create',
      `--file=${unfinished}`,
      `--directory=${cluster}`,
      '.',
    ]);
    const written = await open(unfinished);
    await written.sync().finally(() => written.close());
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Statement that leaves the superuser without a password. Nobody can log in until a copy has one. */
export const FORGET_PASSWORD = `ALTER ROLE ${SUPERUSER} PASSWORD NULL`;

/** Fills an empty directory, which the account owns. It is on the disk afterwards. */
export async function unpackPrepared(
  file: string,
  into: string,
  password: string,
  binaries: string,
  account: ServerAccount | undefined,
): Promise<void> {
  await unpackFile(file, into, account);
  await renewIdentity(into, account);
  await recover(join(binaries, 'bin', 'postgres'), into, password, account, { fsync: 'off' });
  await promisify(execFile)(
    join(binaries, 'bin', 'initdb'),
    ['--sync-only', '--sync-method=syncfs', `--pgdata=${into}`],
    {
      ...account,
      cwd: '/',
      env: serverEnvironment,
    },
  );
}
