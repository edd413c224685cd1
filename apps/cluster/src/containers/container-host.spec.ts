import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ContainerHost } from './container-host.js';
import type { Program, RunningContainer, Runtime } from './testcontainers.js';

/** An engine that only records what it was asked. */
class Recorder {
  readonly asked: string[] = [];
  hasEnded = false;

  async removeFrom(directory: string): Promise<void> {
    this.asked.push(`remove what works in ${directory}`);
  }

  async start({ image, command, args, directory }: Program): Promise<RunningContainer> {
    this.asked.push(`start ${[command, ...args].join(' ')} of ${image} in ${directory}`);
    return {
      hasEnded: async () => this.hasEnded,
      logTail: async () => 'no such setting',
      stop: async (timeoutMs) => void this.asked.push(`stop within ${timeoutMs}`),
    };
  }
}

let directory: string;
let engine: Recorder;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-container-'));
  engine = new Recorder();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function server(isReady: () => Promise<boolean>, startPatienceMs?: number) {
  const host = new ContainerHost(engine as unknown as Runtime, 'some:1');
  const work = join(directory, 'work');
  const program = { name: 'Test server', command: 'serve', args: ['--all'], directory: work };
  const patience = startPatienceMs === undefined ? {} : { startPatienceMs };
  return host.server({ ...program, isReady, stopPatienceMs: 700, ...patience });
}

describe('a server in a container', () => {
  it('comes after what an earlier one left in its directory, and is up when it is ready', async () => {
    let asked = 0;
    const one = server(async () => ++asked > 2);
    expect(await one.hasEnded()).toBe(true);
    await one.start();
    expect(asked).toBe(3);
    expect(await one.hasEnded()).toBe(false);
    engine.hasEnded = true;
    expect(await one.hasEnded()).toBe(true);
    await one.stop();
    const work = join(directory, 'work');
    expect(engine.asked).toEqual([
      `remove what works in ${work}`,
      `start serve --all of some:1 in ${work}`,
      'stop within 700',
    ]);
  });

  it('that ends instead says why, and is removed', async () => {
    engine.hasEnded = true;
    await expect(server(async () => false).start()).rejects.toThrow(
      'Test server does not start in a container of some:1: no such setting',
    );
    expect(engine.asked.at(-1)).toBe('stop within 700');
  });

  it('that is not ready in time is removed', async () => {
    await expect(server(async () => false, 120).start()).rejects.toThrow('does not start');
    expect(engine.asked.at(-1)).toBe('stop within 700');
  });
});
