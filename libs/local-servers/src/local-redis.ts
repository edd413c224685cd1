import { execFile } from 'node:child_process';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@watchword/postgres';
import { RestartedServer, type OnTrouble } from './restarted-server.js';
import { findProgram, MissingPrerequisite } from './missing-prerequisite.js';
import { type ServerHost, thisMachine } from './server-host.js';
import { ServerProcess, type ServerProcessOptions } from './server-process.js';

export interface RedisOptions {
  dataDir: string;
  /**
   * With it, a Redis that ends is reported and restarted. Without it, the caller handles the end.
   */
  onTrouble?: OnTrouble | undefined;
  /** A host that has `redis-server`. Default: this machine. */
  host?: ServerHost | undefined;
}

export interface RunningRedis {
  readonly url: string;
  /** The process, for tests that kill it. Undefined when it is no process of this machine. */
  readonly node: ServerProcess | undefined;
  stop(): Promise<void>;
}

const INSTALLATION = 'apt-get install -y redis-server';

/**
 * Starts a real Redis, or uses the one `REDIS_URL` names. Its own one runs on a free port of
 * 127.0.0.1 and keeps nothing over a restart.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, node: undefined, stop: async () => undefined };
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const program = options.host ? 'redis-server' : await findRedis();
  const server = (options.host ?? thisMachine).server(optionsOf(program, port, options.dataDir));
  const { onTrouble } = options;
  const kept = onTrouble ? new RestartedServer(server, onTrouble) : server;
  await kept.start();
  const node = server instanceof ServerProcess ? server : undefined;
  return { url, node, stop: () => kept.stop() };
}

function optionsOf(program: string, port: number, dataDir: string): ServerProcessOptions {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  return {
    name: 'Redis',
    command: program,
    args: [...settings, '--appendonly', 'no', '--daemonize', 'no'],
    directory: join(dataDir, 'redis'),
    isReady: () => answersPing(port),
  };
}

/** Returns this machine's `redis-server`, which it installs where it can. */
export async function findRedis(): Promise<string> {
  return (await findProgram('redis-server')) ?? install();
}

/** Installs Redis on Debian as root. Elsewhere an error says how to install it. */
async function install(): Promise<string> {
  const aptGet = await findProgram('apt-get');
  if (aptGet !== undefined && process.getuid?.() === 0) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...args: string[]) => promisify(execFile)(aptGet, args, { env: environment });
    await run('update', '-qq').catch(() => undefined);
    await run('install', '-y', '-qq', '--no-install-recommends', 'redis-server').catch(
      () => undefined,
    );
    const installed = await findProgram('redis-server');
    if (installed !== undefined) return installed;
  }
  throw new MissingPrerequisite(
    `redis-server is missing: ${INSTALLATION}, or set REDIS_URL to a Redis of your own`,
  );
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write('PING\r\n'));
    const answer = (outcome: boolean) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
    socket.once('error', () => answer(false));
  });
}
