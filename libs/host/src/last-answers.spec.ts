import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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

/** Milliseconds. Longer than a test may take. */
const ENDLESS_MS = 600_000;
const PATIENT = { noticed: 20, unused: ENDLESS_MS, open: ENDLESS_MS };

async function start(times = PATIENT, answered = Promise.resolve()): Promise<void> {
  server = createServer((_, response) => {
    void answered.then(() => response.end('ok'));
  });
  lastAnswers = new LastAnswers(server, times);
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

describe('a server that leaves', () => {
  it('answers once more on a connection that is in use, and says that it ends', async () => {
    await start();
    const ask = newClient();
    expect((await ask()).connection).toBe('keep-alive');
    const leaving = lastAnswers.give();
    while (server.listening) await setImmediate();
    expect(await ask()).toEqual({ connection: 'close', reused: true });
    await leaving;
  });

  it('ends a connection with the answer that it is giving', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await start(PATIENT, answered);
    const ask = newClient();
    const asking = ask();
    await once(server, 'request');
    const leaving = lastAnswers.give();
    while (server.listening) await setImmediate();
    answer();
    expect((await asking).connection).toBe('close');
    await leaving;
  });

  it('cuts a client that does not finish its request', async () => {
    await start({ noticed: 20, unused: 20, open: 20 });
    const { port } = server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    await once(client, 'connect');
    client.write('POST / HTTP/1.1\r\nhost: localhost\r\n');
    const cut = once(client, 'close');
    const closed = once(server, 'close');
    await lastAnswers.give();
    await Promise.all([closed, cut]);
  });

  it('accepts no new connections', async () => {
    await start();
    const [known, unknown] = [newClient(), newClient()];
    await known();
    const leaving = lastAnswers.give();
    while (server.listening) await setImmediate();
    await expect(unknown()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await known();
    await leaving;
  });
});
