import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { ServerProcess } from './server-process.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-server-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const log = () => readFile(join(directory, 'server.log'), 'utf8');

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const untilGone = (pid: number) => waitUntil('its end', () => !isAlive(pid));

const server = (script: string, stopTimeoutMs = 5_000) =>
  new ServerProcess({
    name: 'Test server',
    command: '/bin/sh',
    args: ['-c', script],
    directory,
    isReady: async () => true,
    stopTimeoutMs,
  });

describe('a server', () => {
  it('ends when it is asked to', async () => {
    const one = server('exec sleep 60');
    await one.start();
    const { pid } = one;
    await one.stop();
    expect(one.pid).toBeUndefined();
    expect(isAlive(pid ?? 0)).toBe(false);
  });

  it('is killed when it ignores the signal, or hangs', async () => {
    const deaf = server("trap '' TERM; echo deaf; while :; do sleep 1; done", 300);
    await deaf.start();
    await waitUntil('a deaf server', async () => (await log()).includes('deaf'));
    await deaf.stop();
    expect(deaf.pid).toBeUndefined();
    const hung = server('exec sleep 60', 2_000);
    await hung.start();
    hung.pause();
    await hung.stop();
    expect(hung.pid).toBeUndefined();
  });

  it('that does not come up says why, and that there is no such program', async () => {
    const broken = new ServerProcess({
      name: 'Test server',
      command: '/bin/sh',
      args: ['-c', 'echo no such setting; exit 3'],
      directory,
      isReady: async () => false,
    });
    await expect(broken.start()).rejects.toThrow('no such setting');
    const missing = { name: 'No server', command: '/no/such/program', args: [], directory };
    await expect(
      new ServerProcess({ ...missing, isReady: async () => false }).start(),
    ).rejects.toThrow('ENOENT');
  });

  it('keeps earlier output, and reports only the output of this start', async () => {
    const one = server('echo first words; exec sleep 60');
    await one.start();
    await waitUntil('the first words', async () => (await log()) !== '');
    await one.kill();
    const options = { name: 'Test server', command: '/bin/sh', directory };
    const again = new ServerProcess({
      ...options,
      args: ['-c', 'echo last words; exit 3'],
      isReady: async () => false,
    });
    const refusal = await again.start().catch(String);
    expect(refusal).toMatch(/: last words$/);
    expect(await log()).toBe('first words\nlast words\n');
  });

  it('ends what an earlier one left in its directory', async () => {
    const [first, second] = [server('exec sleep 60'), server('exec sleep 60')];
    await first.start();
    const { pid = 0 } = first;
    await second.start();
    await untilGone(pid);
    expect(isAlive(second.pid ?? 0)).toBe(true);
    await second.stop();
  });

  it('leaves processes alone that only have its directory open', async () => {
    const bystander = spawn('sleep', ['60'], { cwd: directory, stdio: 'ignore' });
    const gone = new Promise((resolve) => bystander.once('exit', resolve));
    try {
      const [first, second] = [server('exec sleep 60'), server('exec sleep 60')];
      await first.start();
      await second.start();
      await second.stop();
      expect(first.pid).toBeUndefined();
      expect(bystander.signalCode).toBeNull();
      expect(bystander.exitCode).toBeNull();
    } finally {
      bystander.kill();
      await gone;
    }
  });

  it('does not outlive its owner, however that ends', async () => {
    const program = `
      import { ServerProcess } from '@watchword/local-servers';
      const server = new ServerProcess({
        name: 'Test server', command: '/bin/sh', args: ['-c', 'exec sleep 60'],
        directory: process.env.DIRECTORY, isReady: async () => true,
      });
      await server.start();
      process.stdout.write(String(server.pid));
      setInterval(() => {}, 1_000);`;
    const { NODE_OPTIONS: _, ...environment } = process.env;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      env: { ...environment, DIRECTORY: directory },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((resolve) => {
      owner.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await untilGone(pid);
  });
});
