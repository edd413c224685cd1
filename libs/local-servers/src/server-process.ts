import { type ChildProcess, spawn } from 'node:child_process';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerDoesNotStart } from './server-does-not-start.js';

export interface ServerProcessOptions {
  /** Name in sentences, for example `Kafka broker 1`. */
  name: string;
  command: string;
  args: readonly string[];
  /** Working directory. It and the log identify the server, so no other server may work there. */
  directory: string;
  isReady: () => Promise<boolean>;
  environment?: NodeJS.ProcessEnv;
  startTimeoutMs?: number;
  stopTimeoutMs?: number;
}

const START_TIMEOUT_DEFAULT_MS = 30_000;
const STOP_TIMEOUT_DEFAULT_MS = 5_000;
const LOG_NAME = 'server.log';
const LOG_TAIL_LENGTH = 2_000;
/** Bytes. A start with a longer log begins a new one and keeps one old one. */
const LOG_LENGTH_MAX = 50_000_000;

/**
 * A server process of this machine that ends with this process, however this process ends. It can
 * be killed, paused and restarted at the same address.
 */
export class ServerProcess {
  private child: ChildProcess | undefined;
  private exited: Promise<void> = Promise.resolve();

  constructor(private readonly options: ServerProcessOptions) {}

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.child && !hasExited(this.child) ? this.child.pid : undefined;
  }

  get name(): string {
    return this.options.name;
  }

  async hasEnded(): Promise<boolean> {
    return this.pid === undefined;
  }

  async start(): Promise<void> {
    if (this.pid !== undefined) return;
    const { command, args, environment } = this.options;
    await mkdir(this.options.directory, { recursive: true });
    const directory = await realpath(this.options.directory);
    await killLeftovers(directory);
    const log = await openLog(join(directory, LOG_NAME));
    const { size: logBegin } = await log.stat();
    // Its own process group: Ctrl-C is for us, and we stop the servers in their order.
    const child = spawn(command, args, {
      cwd: directory,
      env: environment ?? process.env,
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    this.child = child;
    this.exited = new Promise((resolve) => child.once('exit', () => resolve()));
    // At once: this process may be killed while it waits for something else.
    const watchdog = watchOver(child);
    void this.exited.then(() => watchdog.kill('SIGKILL'));
    failed.catch(() => watchdog.kill('SIGKILL'));
    await log.close();
    await Promise.race([failed, this.untilReady(child, directory, logBegin)]);
  }

  /** Asks it to end, and kills it when it does not. */
  async stop(): Promise<void> {
    const { child } = this;
    if (!child || hasExited(child)) return;
    const timeoutMs = this.options.stopTimeoutMs ?? STOP_TIMEOUT_DEFAULT_MS;
    child.kill('SIGTERM');
    child.kill('SIGCONT');
    const timeout = sleep(timeoutMs, false, { ref: false });
    if (await Promise.race([this.exited.then(() => true), timeout])) return;
    await this.kill();
  }

  /** Kills it, as a power failure would. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.exited;
  }

  /** Pauses it, as if it hung: connections stay open and nothing is answered. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  private async untilReady(
    child: ChildProcess,
    directory: string,
    logBegin: number,
  ): Promise<void> {
    const { name, isReady, startTimeoutMs = START_TIMEOUT_DEFAULT_MS } = this.options;
    const deadline = Date.now() + startTimeoutMs;
    while (!hasExited(child)) {
      if (await isReady()) return;
      if (Date.now() > deadline) child.kill('SIGKILL');
      await sleep(20);
    }
    const said = (await tailOf(join(directory, LOG_NAME), logBegin)).trim();
    throw new ServerDoesNotStart(
      `${name} does not start (log in ${directory}): ${said || 'it said nothing'}`,
    );
  }
}

/** Opens the log to append: lines from before a crash explain the restart. */
async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LENGTH_MAX) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** Returns the end of the output since `begin`. */
async function tailOf(path: string, begin: number): Promise<string> {
  const log = await open(path);
  try {
    const { size } = await log.stat();
    const from = Math.max(begin, size - LOG_TAIL_LENGTH);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await log.close();
  }
}

/**
 * Starts a shell that ends the server when this process dies, which closes the shell's input. It
 * outlives this process by a few seconds.
 */
function watchOver(server: ChildProcess): ChildProcess {
  const script =
    'read -r _; kill -TERM "$1"; kill -CONT "$1"; for i in 1 2 3 4 5 6; do ' +
    'sleep 0.5; kill -0 "$1" || exit; done; kill -KILL "$1"';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchword-watchdog', String(server.pid)], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return watchdog;
}

/**
 * Kills servers that an earlier run left in the directory. A process id in a file could belong to
 * another process by now, and a shell may work there too. A mark in the environment does not last,
 * because Redis writes its title over it.
 */
async function killLeftovers(directory: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const leftovers = await serversIn(directory);
    if (leftovers.length === 0) return;
    if (tries > 100) throw new Error(`process ${leftovers[0]} in ${directory} cannot be killed`);
    for (const pid of leftovers) killIfThere(pid);
    await sleep(20);
  }
}

/** Returns the processes that work there and write into the log. */
async function serversIn(directory: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const log = join(directory, LOG_NAME);
  const areServers = await Promise.all(
    pids.map(async (pid) => {
      if ((await placeOf(`/proc/${pid}/cwd`)) !== directory) return false;
      const outputs = await Promise.all([1, 2].map((fd) => placeOf(`/proc/${pid}/fd/${fd}`)));
      // The log may have been renamed or removed since.
      return outputs.some((output) => output?.startsWith(log));
    }),
  );
  return pids.filter((_, index) => areServers[index]);
}

/** Returns undefined for a process that has ended or that this user may not inspect. */
async function placeOf(link: string): Promise<string | undefined> {
  return readlink(link).catch(() => undefined);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
