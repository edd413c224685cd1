import { execFile, spawn, type StdioOptions } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { scramVerifier } from '../scram-verifier.js';
import type { ServerAccount } from './server-account.js';
import { MAJOR_VERSION, serverEnvironment, SERVER_SETTINGS, SUPERUSER } from './server-settings.js';

/** Unpacks a tar archive as the server's account, which then owns all files. */
export async function unpack(
  archive: Readable,
  into: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const { ended, stdin } = extract(into, account, 'pipe');
  const [said, given] = await Promise.all([
    ended,
    pipeline(archive, stdin!).catch((error: unknown) => error),
  ]);
  if (given !== undefined && !saysTarEnded(given)) throw given;
  if (said !== undefined) throw new Error(said);
  if (given !== undefined) throw given;
}

/** The same from a file, which this process opens and does not read. */
export async function unpackFile(
  file: string,
  into: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const archive = await open(file);
  try {
    const said = await extract(into, account, archive.fd).ended;
    if (said !== undefined) throw new Error(said);
  } finally {
    await archive.close();
  }
}

/** `ended` resolves to what is wrong, if anything. */
function extract(into: string, account: ServerAccount | undefined, input: 'pipe' | number) {
  const stdio: StdioOptions = [input, 'ignore', 'pipe'];
  const args = ['--extract', '--no-same-owner', '--file=-', `--directory=${into}`];
  const tar = spawn('tar', args, { ...account, cwd: '/', stdio });
  let said = '';
  tar.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<string | undefined>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', (code) =>
      resolve(code === 0 ? undefined : `The archive cannot be unpacked: ${said.trim()}`),
    );
  });
  return { ended, stdin: tar.stdin };
}

/** Returns whether the error only says that tar ended. Tar's own words say why. */
function saysTarEnded(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

export async function checkVersion(path: string): Promise<void> {
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim();
  if (version === MAJOR_VERSION) return;
  throw new Error(`The archive is of PostgreSQL ${version}, this program brings ${MAJOR_VERSION}.`);
}

/**
 * Runs PostgreSQL in single-user mode, without a port. It recovers the copy and sets the password.
 */
export async function recover(
  program: string,
  path: string,
  password: string,
  account: ServerAccount | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const settings = Object.entries({ ...SERVER_SETTINGS, exit_on_error: 'on', ...more });
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const running = promisify(execFile)(program, ['--single', '-D', path, ...options, 'postgres'], {
    ...account,
    cwd: '/',
    env: serverEnvironment,
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(`ALTER ROLE ${SUPERUSER} PASSWORD '${scramVerifier(password)}'\n`);
  await running.catch((error: unknown) => {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`The copied PostgreSQL does not start: ${stderr.trim()}`, { cause: error });
  });
}
