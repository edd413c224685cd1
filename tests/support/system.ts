import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from './http.ts';
import { freePort } from '../../libs/postgres/src/free-port.ts';
import { waitUntil } from './wait-until.ts';

/** Contents of `dev-credentials.json`. */
export interface Credentials {
  base_url: string;
  workspace_id: string;
  email: string;
  password: string;
  live_key: string;
  test_key: string;
  operator_token: string;
  simulator_url: string;
  /** Present for one process. Those of a cluster have their own. */
  status_url?: string;
}

const root = join(import.meta.dirname, '../..');
const oneProcess = 'apps/all-in-one/dist/main.js';
/** Eight processes and three servers take their time on two cores, and more on slow ones. */
const startTimeoutMs = 300_000;
/** `/ready` answers an address 100 times a minute. Nothing is counted before it listens. */
const readyEveryMs = 650;

/**
 * A running Watchword, used only by URL and credentials file. With `WATCHWORD_CREDENTIALS` set,
 * tests use the system that runs already. Otherwise this starts one exactly as `npm start` does, on
 * a free port and in its own directory.
 */
export class RunningSystem {
  child: ChildProcess | undefined;
  credentials!: Credentials;
  http!: HttpClient;
  simulator!: HttpClient;
  output = '';

  readonly port: number;
  readonly dataDir: string;
  /** Settings of every start. */
  readonly settings: Record<string, string> = {};
  /** Further settings of the next start. */
  environment: Record<string, string>;
  private readonly program: string;
  private readonly ending = new AbortController();
  readonly ended = this.ending.signal;

  constructor(
    port: number,
    dataDir: string,
    environment: Record<string, string> = {},
    program = oneProcess,
  ) {
    this.port = port;
    this.dataDir = dataDir;
    this.environment = environment;
    this.program = program;
  }

  async start(): Promise<this> {
    const child = this.launch();
    await this.ready(child);
    return this;
  }

  private launch(): ChildProcess {
    this.ended.throwIfAborted();
    this.output = '';
    const child = spawn(process.execPath, [this.program], {
      cwd: root,
      env: {
        ...withoutJest(process.env),
        LOG_LEVEL: 'warn',
        ...this.settings,
        ...this.environment,
        PORT: String(this.port),
        DATA_DIR: this.dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    return child;
  }

  private async ready(child: ChildProcess): Promise<void> {
    const probe = new HttpClient(`http://127.0.0.1:${this.port}`);
    const answers = () =>
      probe.get('/ready').then(
        ({ status }) => status === 200 || sleep(readyEveryMs, false),
        () => false,
      );
    try {
      await waitUntil('the system to be ready or gone', () => hasEnded(child) || answers(), {
        timeoutMs: startTimeoutMs,
      });
    } finally {
      await probe.close();
    }
    if (hasEnded(child)) {
      throw new Error(`the system ended with ${child.exitCode} at start:\n${this.output}`);
    }
    this.attach(join(this.dataDir, 'dev-credentials.json'));
  }

  attach(credentialsFile: string): this {
    this.credentials = JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials;
    void this.http?.close();
    void this.simulator?.close();
    this.http = new HttpClient(this.credentials.base_url);
    this.simulator = new HttpClient(this.credentials.simulator_url);
    return this;
  }

  /** Ends the process and everything it started; resolves with its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.child;
    if (!child || hasEnded(child)) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }

  /** Stops it for good: no later start, and a load on it ends. */
  end(): Promise<number | null> {
    this.ending.abort(new Error('the system was stopped for good'));
    return this.stop();
  }

  async close(): Promise<void> {
    await this.end();
    await this.http?.close();
    await this.simulator?.close();
    if (this.child) rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Starts a system, or uses the one that `WATCHWORD_CREDENTIALS` names. */
export async function startSystem(
  environment: Record<string, string> = {},
): Promise<RunningSystem> {
  const existing = process.env['WATCHWORD_CREDENTIALS'];
  if (existing) return new RunningSystem(0, '').attach(existing);
  return startOwnSystem(environment);
}

/** Settings that the shared system was started with, as `WATCHWORD_SETTINGS` lists them. */
export function sharedSettings(): Record<string, string> {
  return JSON.parse(process.env['WATCHWORD_SETTINGS'] ?? '{}') as Record<string, string>;
}

/** Returns the shared system where it has these settings. Otherwise this starts one with them. */
export function startSystemWith(settings: Record<string, string>): Promise<RunningSystem> {
  const shared = sharedSettings();
  const isShared = Object.entries(settings).every(([name, value]) => shared[name] === value);
  return isShared ? startSystem(settings) : startOwnSystem(settings);
}

/**
 * Starts a system for tests that end it, exhaust it or make its carriers fail: one process, or the
 * program that `WATCHWORD_PROGRAM` names, such as a whole cluster.
 */
export async function startOwnSystem(
  environment: Record<string, string> = {},
): Promise<RunningSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'watchword-test-'));
  const program = process.env['WATCHWORD_PROGRAM'];
  return new RunningSystem(await freePort(), dataDir, environment, program).start();
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function withoutJest(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = ['NODE_OPTIONS', 'NODE_ENV', 'JEST_WORKER_ID'];
  const isOwn = (name: string) => own.includes(name) || name.startsWith('WATCHWORD_');
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwn(name)));
}
