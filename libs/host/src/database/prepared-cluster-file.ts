import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedVersion } from '@watchword/postgres';

const root = join(import.meta.dirname, '../../../..');

/** What migrations are made of, besides their folders and `.sql` files: a spec finds no other import. */
export const MADE_OF = ['libs/bus/src', 'libs/postgres/src', 'libs/host/src/database'] as const;

/** Returns the prepared cluster of this program, if there is one. */
export async function findPreparedCluster(): Promise<string | undefined> {
  const file = await preparedClusterFile();
  return file !== undefined && existsSync(file) ? file : undefined;
}

/**
 * Returns the place of the prepared cluster. Its name says of which PostgreSQL, migrations and SQL
 * functions it is, so one of another program is never used.
 */
export async function preparedClusterFile(directory = root): Promise<string | undefined> {
  const version = await embeddedVersion();
  if (version === undefined) return undefined;
  try {
    const hash = createHash('sha256').update(`${version} ${process.arch}\n`);
    for (const file of sources(directory)) {
      hash.update(`${file}\n`).update(readFileSync(join(directory, file)));
    }
    return join(
      directory,
      'node_modules/.cache/clusters',
      `${hash.digest('hex').slice(0, 16)}.tar`,
    );
  } catch (error) {
    // An image has no sources, and no prepared cluster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A folder without sources is what another branch left, such as its `dist`. */
function sources(directory: string): string[] {
  const filesBelow = (folder: string) => filesIn(directory, folder);
  const inApps = readdirSync(join(directory, 'apps'))
    .map((app) => `apps/${app}/src`)
    .filter((folder) => existsSync(join(directory, folder)))
    .flatMap(filesBelow)
    .filter((file) => file.endsWith('.sql') || file.includes('/migrations/'));
  const others = MADE_OF.flatMap(filesBelow);
  return [...inApps, ...others.filter((file) => !/\.(?:spec|kit)\.ts$/.test(file))].toSorted();
}

function filesIn(directory: string, folder: string): string[] {
  return readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1));
}
