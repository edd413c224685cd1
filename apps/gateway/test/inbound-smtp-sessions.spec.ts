/** The bounds of sessions with the bounce listener. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@watchword/postgres';
import { waitUntil } from '@watchword/testing';
import { openGateway, type TestGateway } from './gateway.kit.js';

let gateway: TestGateway;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  port = await freePort();
  gateway = await openGateway({ INBOUND_SMTP_PORT: String(port) });
});
afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(sockets.splice(0).map(hangUp));
});
afterAll(() => gateway?.close());

/** Connects and returns the greeting's code. */
async function greeting(localAddress = '127.0.0.1'): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const [line] = (await once(socket, 'data')) as [Buffer];
  return Number(line.toString().slice(0, 3));
}

async function hangUp(socket: Socket): Promise<void> {
  if (socket.closed) return;
  const closed = once(socket, 'close');
  socket.end();
  socket.resume();
  await closed;
}

describe('a client that connects often', () => {
  it('has ten sessions at once and leaves the others to other clients', async () => {
    const codes = await Promise.all(Array.from({ length: 12 }, () => greeting()));
    expect(codes.toSorted()).toEqual([...Array(10).fill(220), 421, 421]);
    expect(await greeting('127.0.0.2')).toBe(220);
    await Promise.all(sockets.splice(0).map(hangUp));
    await waitUntil('a session to be free', async () => (await greeting()) === 220 || undefined);
  });
});

describe('a session', () => {
  it('ends after two minutes, also while its client sends commands', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
    });
    const greeted = greeting();
    const [socket] = sockets as [Socket];
    await once(socket, 'connect');
    await isGreeted(greeted);
    const said = once(socket, 'data') as Promise<[Buffer]>;
    jest.advanceTimersByTime(110_000);
    socket.write('NOOP\r\n');
    expect((await said).toString()).toMatch(/^250 /);
    const last = once(socket, 'data') as Promise<[Buffer]>;
    jest.advanceTimersByTime(10_000);
    expect((await last).toString()).toMatch(/^421 /);
  });

  /** The library greets a tenth of a second after it has noticed the connection. */
  async function isGreeted(greeted: Promise<number>): Promise<void> {
    let code = 0;
    void greeted.then((known) => (code = known));
    while (code === 0) {
      jest.advanceTimersByTime(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(code).toBe(220);
  }
});
