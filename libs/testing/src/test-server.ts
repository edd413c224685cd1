import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@watchword/postgres';

/**
 * One PostgreSQL for all test processes of this checkout, started by the first that needs it. Each
 * process leaves a file named after it. A small shell loop stops the server and removes its
 * directory when the last of these processes has ended, in any way. A server that is stopping is
 * not handed out: users write their file first and then look for `server.json`; the loop removes
 * `server.json` first and then looks for users.
 */
interface RunningServer {
  url: string;
  pid: number;
  directory: string;
}

const PATIENCE_MS = 60_000;

export async function testServerUrl(): Promise<string> {
  const identity = `${process.getuid?.()}:${import.meta.dirname}`;
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  const home = join(tmpdir(), `watchword-tests-${hash}`);
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    await signIn(home);
    const running = await findRunning(home);
    if (running) return running.url;
    const url = await startAlone(home);
    if (url !== undefined) return url;
    await sleep(50);
  }
  throw new Error(`the test database in ${home} did not come up; see postgres.log there`);
}

/**
 * Registers this run. Jest's workers come and go; their parent is the run. If the directory is
 * removed meanwhile, it has no server, and the next round registers again.
 */
async function signIn(home: string): Promise<void> {
  const user = process.send ? process.ppid : process.pid;
  await mkdir(join(home, 'users'), { recursive: true, mode: 0o755 }).catch(ignoreMissing);
  await writeFile(join(home, 'users', String(user)), '').catch(ignoreMissing);
}

async function findRunning(home: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(home, 'server.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const server = JSON.parse(text) as RunningServer;
  const workplace = await readlink(`/proc/${server.pid}/cwd`).catch(() => undefined);
  if (workplace === server.directory) return server;
  await rm(join(home, 'server.json'), { force: true });
  return undefined;
}

/** Returns undefined while another process starts it. */
async function startAlone(home: string): Promise<string | undefined> {
  const lock = join(home, 'lock');
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' });
  } catch {
    await breakStaleLock(lock);
    return undefined;
  }
  try {
    const running = await findRunning(home);
    if (running) return running.url;
    const server = await startEmbeddedPostgres({
      directory: home,
      outliveProcess: true,
      settings: { max_connections: '200', max_prepared_transactions: '10' },
    });
    const { url, pid, directory } = server;
    await writeFile(join(home, 'server.new'), JSON.stringify({ url, pid, directory }), {
      mode: 0o600,
    });
    await rename(join(home, 'server.new'), join(home, 'server.json'));
    stopWhenUnused(home, pid);
    return url;
  } finally {
    await rm(lock, { force: true });
  }
}

async function breakStaleLock(lock: string): Promise<void> {
  const owner = Number(await readFile(lock, 'utf8').catch(() => '0'));
  if (owner === 0) return;
  const alive = await stat(`/proc/${owner}`).catch(() => undefined);
  if (!alive) await rm(lock, { force: true });
}

function stopWhenUnused(home: string, pid: number): void {
  const script = `
    home=$1 server=$2
    cd "$home" || exit
    used() {
      for user in users/*; do kill -0 "\${user#users/}" 2>/dev/null && return 0; done
      return 1
    }
    while sleep 1; do
      kill -0 "$server" 2>/dev/null || exit
      used && continue
      (set -C; echo $$ > lock) 2>/dev/null || continue
      mv server.json server.leaving
      if used; then mv server.leaving server.json; rm lock; continue; fi
      kill -INT "$server"
      while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
      cd / && mv "$home" "$home.$$" && rm -rf "$home.$$"
      exit
    done`;
  spawn('/bin/sh', ['-c', script, 'watchword-test-server', home, String(pid)], {
    cwd: '/',
    stdio: 'ignore',
    detached: true,
  }).unref();
}

/** Ignores a directory that is removed between its creation and a write. The caller retries. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
