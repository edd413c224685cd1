import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LastAnswers } from './last-answers.js';

let server: Server;
let lastAnswers: LastAnswers;
const agents: Agent[] = [];

afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
  server.closeAllConnections();
});

async function start(answerAfterMs = 0): Promise<void> {
  server = createServer((_, response) => {
    setTimeout(() => response.end('ok'), answerAfterMs);
  });
  lastAnswers = new LastAnswers(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

/** Returns a client with one connection, which it keeps as long as allowed. */
function newClient() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  const { port } = server.address() as AddressInfo;
  return async () => {
    const request = get({ host: '127.0.0.1', port, agent });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return { connection: response.headers.connection, reused: request.reusedSocket };
  };
}

async function timed(work: Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

describe('a server that leaves', () => {
  it('answers once more on a connection that is in use, and says that it ends', async () => {
    const tookMs: number[] = [];
    for (let left = 0; left < 3; left += 1) {
      await start();
      const ask = newClient();
      expect((await ask()).connection).toBe('keep-alive');
      const leaving = timed(lastAnswers.give());
      // Balancers have not noticed yet that it leaves.
      if (left === 0) expect((await ask()).connection).toBe('keep-alive');
      while (server.listening) await setImmediate();
      expect(await ask()).toEqual({ connection: 'close', reused: true });
      tookMs.push(await leaving);
    }
    // The machine may stand still during one of them.
    expect(Math.min(...tookMs)).toBeLessThan(1_390);
  });

  it('ends a connection with the answer that it is giving', async () => {
    await start(600);
    const ask = newClient();
    const asking = ask();
    await once(server, 'request');
    const leaving = lastAnswers.give();
    expect((await asking).connection).toBe('close');
    await leaving;
  });

  it('accepts no new connections', async () => {
    await start();
    const [known, stranger] = [newClient(), newClient()];
    await known();
    const leaving = lastAnswers.give();
    while (server.listening) await setImmediate();
    await expect(stranger()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await known();
    await leaving;
  });

  it('answers connections that the kernel accepted while the process was busy', async () => {
    await start();
    const clients = Array.from({ length: 100 }, newClient);
    const asking = clients.map((ask) => ask());
    // Now they connect, and the server's event loop has not turned yet.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const leaving = lastAnswers.give();
    const answers = await Promise.all(asking);
    expect(answers.map(({ connection }) => connection)).toEqual(answers.map(() => 'close'));
    await leaving;
  });

  it('waits 1.4 s for unused connections, and not at all without any', async () => {
    await start();
    await newClient()();
    const tookMs = await timed(lastAnswers.give());
    expect(tookMs).toBeGreaterThanOrEqual(1_390);
    expect(tookMs).toBeLessThan(5_000);
    const forNone: number[] = [];
    for (let left = 0; left < 3; left += 1) {
      await start();
      forNone.push(await timed(lastAnswers.give()));
    }
    expect(Math.min(...forNone)).toBeLessThan(990);
  });

  it('can be closed afterwards, which ends when all connections have', async () => {
    await start();
    await newClient()();
    await lastAnswers.give();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
  });
});
