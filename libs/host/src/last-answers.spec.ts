import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { giveLastAnswers } from './last-answers.js';

let server: Server;
const agents: Agent[] = [];

afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
  server.closeAllConnections();
});

async function start(answerAfterMs = 0): Promise<void> {
  server = createServer((_, response) => {
    setTimeout(() => response.end('ok'), answerAfterMs);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

/** A client with one connection, which it keeps as long as it may. */
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
    await start();
    const ask = newClient();
    expect((await ask()).connection).toBe('keep-alive');
    const leaving = timed(giveLastAnswers(server));
    expect(await ask()).toEqual({ connection: 'close', reused: true });
    expect(await leaving).toBeLessThan(990);
  });

  it('finishes what it is answering', async () => {
    await start(200);
    const ask = newClient();
    const asking = ask();
    await once(server, 'request');
    const leaving = giveLastAnswers(server);
    expect((await asking).connection).toBe('keep-alive');
    expect(await ask()).toEqual({ connection: 'close', reused: true });
    await leaving;
  });

  it('takes nobody new', async () => {
    await start();
    const [known, stranger] = [newClient(), newClient()];
    await known();
    const leaving = giveLastAnswers(server);
    while (server.listening) await setImmediate();
    await expect(stranger()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await known();
    await leaving;
  });

  it('answers whoever was greeted by the system while the process was busy', async () => {
    await start();
    const clients = Array.from({ length: 100 }, newClient);
    const asking = clients.map((ask) => ask());
    // Now they ask to connect, and the server's event loop has not turned yet.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const leaving = giveLastAnswers(server);
    const answers = await Promise.all(asking);
    expect(answers.map(({ connection }) => connection)).toEqual(answers.map(() => 'close'));
    await leaving;
  });

  it('waits a second for connections that nobody uses, and not at all for none', async () => {
    await start();
    await newClient()();
    const tookMs = await timed(giveLastAnswers(server));
    expect(tookMs).toBeGreaterThanOrEqual(990);
    expect(tookMs).toBeLessThan(5_000);
    await start();
    expect(await timed(giveLastAnswers(server))).toBeLessThan(990);
  });

  it('can be closed afterwards, which ends when all connections have', async () => {
    await start();
    await newClient()();
    await giveLastAnswers(server);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    await closed;
  });
});
