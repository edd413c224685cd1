import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { RestartedServer } from './restarted-server.js';
import type { Server } from './server-host.js';

class FakeServer implements Server {
  readonly name = 'Test server';
  starts = 0;
  alive = false;
  /** What becomes of the next starts; those after them live. */
  fates: ('dies at once' | 'does not start')[] = [];

  async start(): Promise<void> {
    this.starts += 1;
    const fate = this.fates.shift();
    if (fate === 'does not start') throw new Error('no such setting');
    this.alive = fate === undefined;
  }

  async stop(): Promise<void> {
    this.alive = false;
  }

  async hasEnded(): Promise<boolean> {
    return !this.alive;
  }

  async untilAlive(): Promise<void> {
    while (!this.alive) await sleep(20);
  }
}

async function kept(): Promise<{ server: FakeServer; keeper: RestartedServer; lines: string[] }> {
  const server = new FakeServer();
  const lines: string[] = [];
  const keeper = new RestartedServer(server, (sentence) => lines.push(sentence));
  await keeper.start();
  return { server, keeper, lines };
}

describe('a server that is kept', () => {
  it('is restarted when it dies, and that is reported once', async () => {
    const { server, keeper, lines } = await kept();
    server.alive = false;
    await server.untilAlive();
    await keeper.stop();
    expect(lines).toEqual(['Test server died and is started again']);
    expect(server.starts).toBe(2);
  });

  it('gets a pause that grows while it dies at once or does not start', async () => {
    const { server, keeper, lines } = await kept();
    server.fates = ['dies at once', 'does not start', 'dies at once'];
    server.alive = false;
    await server.untilAlive();
    await keeper.stop();
    expect(lines).toEqual([
      'Test server died and is started again',
      'Test server died and is started again in 0.25 s',
      'Test server does not start and is tried again in 0.5 s',
      'Test server died and is started again in 1 s',
    ]);
  });

  it('stays away when it is stopped, also in the middle of a pause', async () => {
    const { server, keeper, lines } = await kept();
    server.fates = Array<'does not start'>(100).fill('does not start');
    server.alive = false;
    while (lines.length < 3) await sleep(20);
    await keeper.stop();
    const starts = server.starts;
    await sleep(1);
    expect(server.starts).toBe(starts);
    expect(server.alive).toBe(false);
  });
});
