import { execFile, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { UserError } from '@watchword/host';

type Program = 'pg_dump' | 'pg_restore';

/** Directories of packages of several major versions. */
const placesOf = (major: number): string[] => [
  `/usr/lib/postgresql/${major}/bin`,
  `/usr/pgsql-${major}/bin`,
  `/opt/homebrew/opt/postgresql@${major}/bin`,
];

/**
 * Finds the program of the server's major version: an older one cannot read the server, and the
 * server may not understand the output of a newer one.
 */
export async function findClient(
  program: Program,
  major: number,
  path = process.env['PATH'] ?? '',
): Promise<string> {
  const found: string[] = [];
  for (const place of [...path.split(delimiter).filter(Boolean), ...placesOf(major)]) {
    const file = join(place, program);
    const version = await versionOf(file);
    if (version === major) return file;
    if (version !== undefined) found.push(`version ${version} in ${place}`);
  }
  const others = found.length > 0 ? ` Found: ${[...new Set(found)].join(', ')}.` : '';
  throw new UserError(
    `${program} of PostgreSQL ${major} is needed, the version of the server.${others} ` +
      `Install the client programs of PostgreSQL ${major} (Debian: postgresql-client-${major}), ` +
      'or put their directory into PATH.',
  );
}

async function versionOf(file: string): Promise<number | undefined> {
  try {
    await access(file, constants.X_OK);
    const { stdout } = await promisify(execFile)(file, ['--version']);
    const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}

/** Passes the password in the environment. All users of the machine can see arguments. */
function connection(url: string): { name: string; env: NodeJS.ProcessEnv } {
  const named = new URL(url);
  const PGPASSWORD = decodeURIComponent(named.password);
  named.password = '';
  return { name: named.toString(), env: { ...process.env, PGPASSWORD } };
}

/**
 * Streams the whole database in PostgreSQL's own format. A failure ends the stream with the
 * program's message. Destroying the stream ends the program.
 */
export function dump(program: string, url: string): Readable {
  const { name, env } = connection(url);
  const args = ['--format=custom', '--no-password', `--dbname=${name}`];
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = new PassThrough();
  // The program may fail before the stream is read. Its error stays with the stream until then.
  out.on('error', () => undefined);
  const ended = endOf(child, program);
  out.once('close', () => {
    child.kill();
    child.stdout.destroy();
  });
  child.stdout.on('error', () => undefined).pipe(out, { end: false });
  ended.then(
    () => out.end(),
    (error: unknown) => out.destroy(error as Error),
  );
  return out;
}

/**
 * Restores in one transaction. A failure leaves nothing of the backup, and what `--replace` deleted
 * stays deleted.
 */
export async function restoreDump(program: string, url: string, content: Readable): Promise<void> {
  const { name, env } = connection(url);
  const child = spawn(
    program,
    ['--single-transaction', '--no-owner', '--no-password', `--dbname=${name}`],
    { env, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const given = pipeline(content, child.stdin).catch((error: unknown) => error);
  await endOf(child, program);
  const failure = await given;
  if (failure !== undefined) throw failure;
}

/** Waits until all of the program's output was read. */
function endOf(child: ReturnType<typeof spawn>, program: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4_000)));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      if (exitCode === 0) resolve();
      else reject(new UserError(`${program} failed: ${said.trim()}`));
    });
  });
}
