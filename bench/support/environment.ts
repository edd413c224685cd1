/**
 * What a bench runs on: one PostgreSQL with the embedded default's settings, the product and its
 * plain peer as separate processes with separate databases, and workspaces created through the
 * operator API with raised limits (every counter is still taken).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, freePort, startEmbeddedPostgres } from '@watchword/postgres';
import pg from 'pg';
import { answers, makeWorkspaces } from './operator.ts';

export const root = join(import.meta.dirname, '../..');
/** Directory of another build of the product, to compare two commits in turns. */
export const productRoot = (): string => process.env['BENCH_PRODUCT'] ?? root;
const STOPPED_WITHIN_MS = 10_000;
/** Files of 16 MB each: as much as `max_wal_size` has a server keep under load. */
const WAL_FILES = 64;
const WAL_KEPT = '1GB';

export interface Contestant {
  name: string;
  url: string;
  pid: number;
  /** API keys with plenty of credits, one per workspace. */
  keys: string[];
  /** Keys of separate workspaces, for test mode. */
  testKeys?: string[];
}

export interface ProductOptions {
  /** Which of its workspaces' keys to use. Default: live. */
  key?: 'live_key' | 'test_key';
  environment?: Record<string, string>;
  /** Number of additional workspaces with a test-mode key. */
  testWorkspaces?: number;
  /** Endpoint for the SMS events of every workspace. */
  webhookUrl?: string;
  /** Directory of the build. Default: `BENCH_PRODUCT`, else this one. */
  root?: string;
}

interface Stoppable {
  stop(): Promise<void>;
}

export class Environment {
  private readonly children: ChildProcess[] = [];
  private readonly dependencies: Stoppable[] = [];
  readonly directory: string;
  readonly postgres: EmbeddedPostgres;

  private constructor(directory: string, postgres: EmbeddedPostgres) {
    this.directory = directory;
    this.postgres = postgres;
  }

  /** Starts the server with these settings besides the usual ones. */
  static async open(settings: Record<string, string> = {}): Promise<Environment> {
    const directory = mkdtempSync(join(tmpdir(), 'watchword-bench-'));
    const postgres = await startEmbeddedPostgres({
      directory: join(directory, 'postgres'),
      settings: { ...settings, min_wal_size: WAL_KEPT },
    });
    const environment = new Environment(directory, postgres);
    await environment.assertDurable();
    await environment.makeLogFiles();
    return environment;
  }

  /**
   * Has the server make the files of its log, which it uses again from then on. A server that is in use has them; a new
   * one makes each when it is needed, and nothing commits for the 40 ms that this takes.
   */
  private async makeLogFiles(): Promise<void> {
    const client = await this.connect('postgres');
    for (let made = 0; made < WAL_FILES; made += 1) {
      await client.query(`select pg_logical_emit_message(false, 'bench', '')`);
      await client.query('select pg_switch_wal()');
    }
    await client.query('checkpoint');
    await client.end();
  }

  private query(text: string): Promise<Record<string, string>[]> {
    return this.queryOf('postgres', text);
  }

  /** A statement on one of the databases, as the administrator. */
  async queryOf(database: string, text: string): Promise<Record<string, string>[]> {
    const client = await this.connect(database);
    const { rows } = await client.query<Record<string, string>>(text);
    await client.end();
    return rows;
  }

  private async connect(database: string): Promise<pg.Client> {
    const connectionString = this.postgres.url.replace(/\/postgres$/, `/${database}`);
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  }

  /** A bench that is fast because it loses data is worth nothing. */
  private async assertDurable(): Promise<void> {
    const settings = await this.query(
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'server_version')`,
    );
    console.log(settings.map(({ name, setting }) => `${name}=${setting}`).join(' '));
    for (const { name, setting } of settings) {
      if (name !== 'server_version' && setting !== 'on') throw new Error(`${name} is ${setting}`);
    }
  }

  /** The address of a new one, for a user that may create roles in it. */
  async database(name: string): Promise<string> {
    await this.query(`create database ${name}`);
    return this.postgres.url.replace(/\/postgres$/, `/${name}`);
  }

  /** The product with some of its services, and a key for each of `workspaces` new workspaces. */
  async product(
    services: string,
    workspaces: number,
    options: ProductOptions = {},
  ): Promise<Contestant> {
    const { key = 'live_key', environment = {}, testWorkspaces = 0, webhookUrl } = options;
    const built = options.root ?? productRoot();
    const port = await freePort();
    const operatorToken = randomBytes(24).toString('hex');
    const url = `http://127.0.0.1:${port}`;
    const child = this.spawn(built, asStarted(built), {
      PORT: String(port),
      DATABASE_URL: await this.database('watchword'),
      DATA_DIR: join(this.directory, 'data'),
      SERVICES: services,
      LOG_LEVEL: 'warn',
      // For a profile of the product alone: --cpu-prof.
      NODE_OPTIONS: process.env['PRODUCT_NODE_OPTIONS'] ?? '',
      OPERATOR_TOKEN: operatorToken,
      PEPPER: randomBytes(32).toString('hex'),
      ENCRYPTION_KEYS: randomBytes(32).toString('hex'),
      CALLBACK_SECRET: randomBytes(16).toString('hex'),
      BILLING_RPC_SECRET: randomBytes(24).toString('hex'),
      DISPATCH_RPC_SECRET: randomBytes(24).toString('hex'),
      WEBHOOKS_RPC_SECRET: randomBytes(24).toString('hex'),
      ...addressesWithout(services),
      ...environment,
    });
    await answers(`${url}/health`);
    const wanted = { url, operatorToken, webhookUrl };
    const keys = await makeWorkspaces({ ...wanted, count: workspaces, key });
    const forTests = { ...wanted, count: testWorkspaces, key: 'test_key' } as const;
    const testKeys = await makeWorkspaces(forTests);
    return { name: 'watchword', url, pid: child.pid!, keys, testKeys };
  }

  async naive(workspaces: number, environment: Record<string, string> = {}): Promise<Contestant> {
    const port = await freePort();
    const child = this.spawn(root, ['bench/peers/naive-gateway.ts'], {
      PORT: String(port),
      DATABASE_URL: await this.database('naive'),
      WORKSPACES: String(workspaces),
      ...environment,
    });
    const url = `http://127.0.0.1:${port}`;
    await answers(`${url}/`);
    const keys = Array.from({ length: workspaces }, (_, index) => `naive-key-${index + 1}`);
    return { name: 'naive peer', url, pid: child.pid!, keys };
  }

  /** Starts a peer that does not run on Node. Its dependency is stopped after it. */
  program(
    file: string,
    args: string[],
    settings: Record<string, string>,
    dependency: Stoppable,
  ): void {
    this.spawn(this.directory, args, settings, file);
    this.dependencies.push(dependency);
  }

  private spawn(
    cwd: string,
    args: string[],
    environment: Record<string, string>,
    file = process.execPath,
  ): ChildProcess {
    const child = spawn(file, args, {
      cwd,
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
      // A session of its own, as a service manager gives it: Linux shares processors among sessions.
      detached: true,
    });
    process.once('exit', () => child.kill('SIGKILL'));
    this.children.push(child);
    return child;
  }

  async close(): Promise<void> {
    await Promise.all(this.children.map(ended));
    for (const one of this.dependencies) await one.stop();
    await this.postgres.destroy();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Asks it to stop, and insists when it takes too long; a child that is gone already is no wait. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timeout);
}

/** Returns the flags and the script that `npm start` uses. A profile runs the modules, which a bundle would hide. */
export function asStarted(built = productRoot()): string[] {
  const { scripts } = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const args = scripts.start.replace('exec node ', '').split(' ');
  const isProfiled = process.env['PRODUCT_NODE_OPTIONS'] !== undefined;
  return isProfiled ? args.with(-1, 'apps/all-in-one/dist/main.js') : args;
}

/** A gateway needs the addresses of services that run elsewhere. Nothing listens at these. */
function addressesWithout(services: string): Record<string, string> {
  const absent = ['billing', 'dispatch', 'webhooks'].filter((name) => !services.includes(name));
  return Object.fromEntries(absent.map((name) => [`${name.toUpperCase()}_ADDRESS`, '127.0.0.1:9']));
}
