import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPERUSER } from './server-settings.js';

/** Line numbers in PostgreSQL's `postmaster.pid`. */
const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/**
 * Returns the superuser's URL of the embedded server that another process runs in this directory,
 * if any.
 */
export async function runningPostgres(directory: string): Promise<string | undefined> {
  const read = (...path: string[]) => readFile(join(...path), 'utf8').catch(() => '');
  const cluster =
    (await read(directory, 'postgres-location')).trim() || join(directory, 'postgres');
  const lines = (await read(cluster, 'postmaster.pid')).split('\n').map((line) => line.trim());
  const password = (await read(directory, 'postgres-password')).trim();
  if (lines[STATUS_LINE] !== 'ready' || password === '' || !lives(Number(lines[PID_LINE]))) {
    return undefined;
  }
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${lines[PORT_LINE]}/postgres`;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
