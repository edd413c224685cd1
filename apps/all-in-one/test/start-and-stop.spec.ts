import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevCredentials } from '@watchword/host';

const root = join(import.meta.dirname, '../../..');
/** The built program, as `npm start` runs it. */
const bundle = join(root, 'tools/start.mjs');

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
});
