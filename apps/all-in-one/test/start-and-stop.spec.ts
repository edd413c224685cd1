import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevCredentials } from '@watchword/host';
import { bundleOf } from '../../../tools/bundled.mjs';

const root = join(import.meta.dirname, '../../..');
/** The built program, as `npm start` runs it. */
const bundle = join(root, 'tools/start.mjs');
/** The modules that it is made of, as an image runs them. */
const modules = join(root, 'apps/all-in-one/dist/main.js');
const operator = join(root, 'apps/all-in-one/dist/operator/main.js');

interface Run {
  child: ChildProcess;
  output: () => string;
  exitCode: Promise<number | null>;
}

let directory: string;
let runs: Run[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword start '));
  runs = [];
});

afterEach(async () => {
  for (const { child, exitCode } of runs) {
    child.kill('SIGTERM');
    await exitCode;
  }
  await rm(directory, { recursive: true, force: true });
});

function settings() {
  const { PATH = '' } = process.env;
  return { PATH, PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' };
}

function start(environment: Record<string, string> = {}, program = bundle): Run {
  const env = { ...settings(), ...environment };
  const child = spawn(process.execPath, [program], { cwd: directory, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  const run = { child, output: () => text, exitCode };
  runs.push(run);
  return run;
}

async function ready(run: Run): Promise<DevCredentials> {
  while (!run.output().includes('Ready after')) {
    if (run.child.exitCode !== null) throw new Error(`it ended: ${run.output()}`);
    await sleep(50);
  }
  return JSON.parse(await readFile(join(directory, 'dev-credentials.json'), 'utf8'));
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

/** Returns servers and simulators that work for this directory. */
async function leftBehind(simulatorUrl: string): Promise<string[]> {
  const left = (await answers(`${simulatorUrl}/_simulator/messages`)) ? ['carrier simulator'] : [];
  for (const pid of await readdir('/proc')) {
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (place === join(directory, 'postgres')) left.push(`postgres ${pid}`);
  }
  return left;
}

describe('a start', () => {
  it('greets with a test key only, keeps its keys, and a SIGTERM leaves nothing behind', async () => {
    const first = start();
    const credentials = await ready(first);
    expect(await answers(`${credentials.base_url}/health`)).toBe(true);
    expect(first.output()).toContain(credentials.test_key);
    for (const secret of ['live_key', 'operator_token', 'password'] as const) {
      expect(first.output()).not.toContain(credentials[secret]);
    }
    for (const file of ['dev-credentials.json', 'secrets.json', 'postgres-password']) {
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    }

    first.child.kill('SIGTERM');
    expect(await first.exitCode).toBe(0);
    expect(await leftBehind(credentials.simulator_url)).toEqual([]);
    expect(await readdir(directory)).not.toContain('lock.json');

    const { base_url: _, ...kept } = await ready(start());
    expect(credentials).toMatchObject(kept);
  });

  it('recovers by itself from a SIGKILL', async () => {
    const killed = start();
    const before = await ready(killed);
    killed.child.kill('SIGKILL');
    await killed.exitCode;
    const after = await ready(start());
    expect(after.live_key).toBe(before.live_key);
    expect(await answers(`${after.base_url}/health`)).toBe(true);
  });

  it('refuses a directory in use, and the other one goes on', async () => {
    const credentials = await ready(start());
    const second = start();
    expect(await second.exitCode).toBe(1);
    expect(second.output()).toMatch(/^DATA_DIR .* is in use by a running Watchword .*\n$/);
    expect(await answers(`${credentials.base_url}/health`)).toBe(true);
  });

  it('refuses a taken port before it makes anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const refused = start({ PORT });
    expect(await refused.exitCode).toBe(1);
    expect(refused.output()).toMatch(new RegExp(`^PORT ${PORT} is taken: .*\n$`));
    expect(await readdir(directory)).toEqual([]);
    other.close();
  });

  it('lists everything that is wrong with the settings', async () => {
    const refused = start({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect(await refused.exitCode).toBe(1);
    expect(refused.output().trimEnd().split('\n')).toHaveLength(3);
    expect(await readdir(directory)).toEqual([]);
  });

  it('drains also when one Ctrl-C arrives twice, from the terminal and from npm', async () => {
    const running = start();
    await ready(running);
    running.child.kill('SIGINT');
    await sleep(20);
    running.child.kill('SIGINT');
    expect(await running.exitCode).toBe(0);
  });

  it('may be interrupted at any moment', async () => {
    for (const delayMs of [100, 300, 600, 1_000]) {
      const interrupted = start();
      await sleep(delayMs);
      interrupted.child.kill('SIGINT');
      interrupted.child.kill('SIGTERM');
      await interrupted.exitCode;
    }
    const credentials = await ready(start());
    expect(await answers(`${credentials.base_url}/health`)).toBe(true);
  });
});

describe('the bundle', () => {
  it('is there after set-up', () => {
    expect(existsSync(bundleOf(root))).toBe(true);
  });

  it('holds no second copy of the metadata that TypeORM uses', async () => {
    const text = await readFile(bundleOf(root), 'latin1');
    expect(text).toContain('// node_modules/fastify/');
    expect(text).not.toContain('// node_modules/reflect-metadata/');
  });

  it.each([
    ['modules', modules, bundle],
    ['bundle', bundle, modules],
  ])('and the modules know the same migrations: a database of the %s', async (_, first, second) => {
    const made = start({}, first);
    await ready(made);
    made.child.kill('SIGTERM');
    await made.exitCode;
    const { stdout } = await promisify(execFile)(process.execPath, [operator, 'migrate'], {
      env: settings(),
    });
    const ran = [...stdout.matchAll(/^(\w+): (\d+) migrations run/gm)].map(([, , n]) => n);
    expect(ran.length).toBeGreaterThanOrEqual(4);
    expect(new Set(ran)).toEqual(new Set(['0']));
    await ready(start({}, second));
  });
});
