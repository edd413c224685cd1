import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '@watchword/host';
import { clusterIn, restoreCluster } from '@watchword/postgres';
import { type BackupHeader, contentOf, counting, type Passed } from './backup-file.js';

export interface RestoreWork {
  path: string;
  header: BackupHeader;
  replace: boolean;
  passed: Passed;
}

/** Restores the embedded database of a directory that no process uses. */
export async function restoreIntoDirectory(
  { path, replace, passed }: RestoreWork,
  directory: string,
  say: (line: string) => void,
): Promise<void> {
  const there = await clusterIn(directory);
  if (there !== undefined && !replace) {
    throw new UserError(
      `There is a database in ${there}. With --replace it is set aside, and the backup takes its place.`,
    );
  }
  const archive = pipeline(contentOf(path), counting(passed), createGunzip(), () => undefined);
  const former = await restoreCluster(directory, archive);
  if (former !== undefined) {
    say(`The former database is in ${former}. Delete it when it is not needed any more.`);
  }
}
