import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@watchword/postgres';

const CHECK_EVERY_MS = 50;
/** Its content is lost with the run, so nothing has to reach the disk. */
const SETTINGS = {
  max_connections: '200',
  max_prepared_transactions: '10',
  wal_compression: 'off',
  fsync: 'off',
  full_page_writes: 'off',
};

let started: Promise<string> | undefined;

/**
 * URL of the PostgreSQL of this run, started by the first worker that needs it. It ends with the run
 * (tools/run-folder.mjs).
 */
export function testServerUrl(): Promise<string> {
  const folder = process.env['WATCHWORD_RUN_FOLDER'];
  if (folder === undefined) throw new Error('only Jest with jest.config.mjs has a database');
  started ??= findOrStart(folder);
  return started;
}

async function findOrStart(folder: string): Promise<string> {
  const address = join(folder, 'database-url');
  const isFirst = await writeFile(join(folder, 'database-lock'), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
  if (!isFirst) return addressIn(address);
  const started = startEmbeddedPostgres({
    directory: join(folder, 'database'),
    outliveProcess: true,
    settings: SETTINGS,
  });
  // The other workers wait for an address, or for the reason why there is none.
  const text = await started.then(({ url }) => url, String);
  await writeFile(`${address}.new`, text, { mode: 0o600 });
  await rename(`${address}.new`, address);
  return addressIn(address);
}

/** Waits for the worker that starts the server. The test's own time-out says when that hangs. */
async function addressIn(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text?.startsWith('postgres://')) return text;
    if (text !== undefined) throw new Error(`the database of the tests does not start: ${text}`);
    await sleep(CHECK_EVERY_MS);
  }
}
