/** What the checks of examples have in common. */
import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const POLL_MS = 100;
/** Milliseconds. What takes so long hangs. */
const HANGS_AFTER_MS = 240_000;
const OUTPUT_BYTES_MAX = 64 << 20;

/** Runs a program to its end and returns its output. */
export async function run(command, args, options = {}) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...options.env };
  const given = { maxBuffer: OUTPUT_BYTES_MAX, ...options, env };
  return (await promisify(execFile)(command, args, given)).stdout;
}

/** Calls `work` while a program runs, with a function that returns its output so far; then stops the program. */
export async function whileRunning([command, ...args], options, work) {
  const env = { ...process.env, ...options.env };
  const child = spawn(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('error', resolve).once('exit', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += chunk));
  try {
    return await work(() => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`);
      return output;
    });
  } catch (error) {
    throw new Error(`${error.stack}\nThe program wrote:\n${output}`, { cause: error });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The first value of `look` that is not undefined. Connections that are refused are tried again. */
export async function until(what, look) {
  const end = Date.now() + HANGS_AFTER_MS;
  for (;;) {
    const found = await look().catch((error) => {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
    });
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export async function freePort() {
  const ports = await import('../../libs/postgres/dist/free-port.js');
  return String(await ports.freePort());
}

/** Makes a Python environment with these packages, and returns its folder of programs. */
export async function venv(folder, packages) {
  await run('python3', ['-m', 'venv', folder]);
  const bin = join(folder, 'bin');
  await run(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', ...packages]);
  return bin;
}

export async function call(method, url, token, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { method, headers, body: JSON.stringify(body) };
  const response = await fetch(url, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Installs the packages of an example of npm, as its lock file says. */
export const npmCi = (cwd) => run('npm', ['ci', '--no-audit', '--no-fund'], { cwd });
