import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool, type DatabasePool, isGone } from '@watchword/postgres';

/** For a slow machine. */
const RECOVERY_MS_MAX = 60_000;
const POLL_EVERY_MS = 500;

/** Returns the superuser's URL of the server in this directory. */
export function embeddedUrl(directory: string): string {
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const cluster = existsSync(join(directory, 'postgres-location'))
    ? read('postgres-location').trim()
    : join(directory, 'postgres');
  const password = read('postgres-password').trim();
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://watchword:${password}@127.0.0.1:${port}/postgres`;
}

/** Repeats the work while a server that was killed recovers. The server may come back at another URL. */
export async function withDatabase<Result>(
  urlOf: () => string,
  work: (database: DatabasePool) => Promise<Result>,
): Promise<Result> {
  const until = Date.now() + RECOVERY_MS_MAX;
  for (;;) {
    const database = createPool({ url: urlOf(), applicationName: 'watchword-fault', max: 1 });
    try {
      return await work(database);
    } catch (error) {
      if (!isGone(error) || Date.now() > until) throw error;
    } finally {
      await database.end();
    }
    await sleep(POLL_EVERY_MS);
  }
}
