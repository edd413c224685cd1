import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinaries } from './binaries.js';
import { copyDirectory, openCluster, removeCluster } from './cluster.js';
import type { Cluster } from './cluster.js';
import { stopLeftover } from './leftover.js';
import { serverAccount } from './server-account.js';
import type { ServerAccount } from './server-account.js';
import { serverEnvironment, SERVER_SETTINGS, SUPERUSER } from './server-settings.js';
import { freePort, isPortFree } from '../free-port.js';

export interface EmbeddedPostgresOptions {
  /**
   * Directory of the cluster, its password (0600) and its log. One process may use it at a time.
   */
  directory: string;
  settings?: Readonly<Record<string, string>>;
  /** Whether the server keeps running for other processes when this one ends. */
  outliveProcess?: boolean;
  /** Called when the server died and is being restarted. */
  onRestart?: () => void;
  /** Called when the server died and cannot be restarted. */
  onFailure?: (error: Error) => void;
}

export interface EmbeddedPostgres {
  /** URL of the superuser, to the database `postgres`. */
  readonly url: string;
  readonly directory: string;
  /** Process id of the server. It changes at a restart. */
  readonly pid: number;
  /** Fast shutdown: disconnects clients. Everything committed is on disk. */
  stop(): Promise<void>;
  /** Stops the server and removes everything it wrote, in every place. For tests and benches. */
  destroy(): Promise<void>;
  /** Stops at once, without waiting. The next start recovers from the write-ahead log. */
  abort(): void;
}

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 2_500;
const RESTARTS_MAX = 10;
const LOG_SIZE_MAX = 4 * 1024 * 1024;

/**
 * A real PostgreSQL as a child process, on 127.0.0.1 with a free port and a random password. It is
 * restarted when it dies, stopped when we stop, and ordered to stop when we are killed. A server
 * left by an earlier run is stopped before the start.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  await mkdir(options.directory, { recursive: true });
  const account = await serverAccount();
  const binaries = await findBinaries(account, copyDirectory(options.directory, account));
  const cluster = await openCluster(options.directory, binaries, account);
  await stopLeftover(cluster.path);
  const server = new Server(options, join(binaries, 'bin', 'postgres'), cluster, account);
  await server.start();
  return server;
}

class Server implements EmbeddedPostgres {
  private port = 0;
  private child: ChildProcess | undefined;
  private stopping = false;

  constructor(
    private readonly options: EmbeddedPostgresOptions,
    private readonly program: string,
    private readonly cluster: Cluster,
    private readonly account: ServerAccount | undefined,
  ) {}

  get directory(): string {
    return this.cluster.path;
  }

  get url(): string {
    return `postgres://${SUPERUSER}:${this.cluster.password}@127.0.0.1:${this.port}/postgres`;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.port = await freePort();
    try {
      await this.launch();
    } catch (error) {
      // Another program may have taken the port meanwhile. The second try uses another one.
      if (await isPortFree(this.port)) throw error;
      this.port = await freePort();
      await this.launch();
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || hasExited(child)) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      child.kill(signal);
      const timeout = sleep(STOP_TIMEOUT_MS, false, { ref: false });
      if (await Promise.race([exited.then(() => true), timeout])) return;
    }
  }

  async destroy(): Promise<void> {
    await this.stop();
    await removeCluster(this.options.directory, this.cluster);
    await rm(this.options.directory, { recursive: true, force: true });
  }

  abort(): void {
    this.stopping = true;
    this.child?.kill('SIGQUIT');
  }

  private async launch(): Promise<void> {
    const logFile = join(this.options.directory, 'postgres.log');
    const log = await openLog(logFile);
    const logStart = (await log.stat()).size;
    const settings = { ...SERVER_SETTINGS, ...this.options.settings, port: String(this.port) };
    const child = spawn(
      this.program,
      [
        '-D',
        this.cluster.path,
        ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
      ],
      // Its own process group: Ctrl-C is for us, and we stop the server after the last work.
      {
        ...this.account,
        cwd: '/',
        env: serverEnvironment,
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    );
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    this.child = child;
    // Before the first wait: a server that refuses its settings ends at once.
    if (!this.options.outliveProcess) {
      const watchdog = watchOver(child, this.account);
      child.once('exit', () => watchdog.kill());
    }
    await log.close();
    await Promise.race([failed, this.untilReady(child, logFile, logStart)]);
    if (this.options.outliveProcess) child.unref();
    else child.once('exit', () => void this.recover());
  }

  /** Waits until PostgreSQL writes `ready` into its lock file, as pg_ctl does. */
  private async untilReady(child: ChildProcess, logFile: string, logStart: number): Promise<void> {
    const pidFile = join(this.cluster.path, 'postmaster.pid');
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!hasExited(child)) {
      const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return;
      if (Date.now() > deadline) child.kill('SIGQUIT');
      await sleep(5);
    }
    const output = (await readFile(logFile)).subarray(logStart).toString().trim();
    throw new Error(`The embedded PostgreSQL does not start: ${output || 'it said nothing'}`);
  }

  private async recover(): Promise<void> {
    for (let attempt = 1; !this.stopping; attempt += 1) {
      this.options.onRestart?.();
      try {
        await stopLeftover(this.cluster.path);
        if (!this.stopping) await this.launch();
        return;
      } catch (error) {
        if (attempt === RESTARTS_MAX) return this.options.onFailure?.(error as Error);
        await sleep(attempt * 100);
      }
    }
  }
}

/**
 * Starts a shell and holds its input open. When we die, the input closes. The shell then orders the
 * server to shut down, resumes it if it was paused, and kills it if it has not stopped within ten
 * seconds. If the shell is killed together with us, it does nothing; the next start handles that.
 */
function watchOver(server: ChildProcess, account: ServerAccount | undefined): ChildProcess {
  const script =
    'end() { kill -"$1" "$2"; kill -CONT "$2"; i=0; while [ $i -lt 10 ]; do ' +
    'sleep 0.5; kill -0 "$2" || exit; i=$((i+1)); done; }; ' +
    'read -r _; end INT "$1"; end QUIT "$1"; kill -KILL "$1"';
  return spawn('/bin/sh', ['-c', script, 'watchword-watchdog', String(server.pid)], {
    ...account,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function openLog(file: string) {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_SIZE_MAX) await rename(file, `${file}.old`);
  return open(file, 'a', 0o600);
}
