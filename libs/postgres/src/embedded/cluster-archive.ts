import { execFile, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { scramVerifier } from '../scram-verifier.js';
import type { ServerAccount } from './server-account.js';
import { serverEnvironment, SERVER_SETTINGS, SUPERUSER } from './server-settings.js';

/** Unpacks a tar archive as the server's account, which then owns all files. */
export async function unpackFile(
  file: string,
  into: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const archive = await open(file);
  const stdio: StdioOptions = [archive.fd, 'ignore', 'pipe'];
  const args = ['--extract', '--no-same-owner', '--file=-', `--directory=${into}`];
  try {
    const tar = spawn('tar', args, { ...account, cwd: '/', stdio });
    let said = '';
    tar.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = await once(tar, 'close');
    if (code !== 0) throw new Error(`The archive cannot be unpacked: ${said.trim()}`);
  } finally {
    await archive.close();
  }
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
