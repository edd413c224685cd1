/** Tests what an unauthenticated client can do on the port of internal calls. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { selfSigned } from '@watchword/testing';
import { declared, unused } from '../rpc-contract.kit.js';
import { TcpRpc } from '../tcp.adapter.js';
import type { TlsFiles } from './call-server.js';
import { FRAME_LENGTH_MAX } from './frames.js';

const secret = 'a secret of at least thirty-two characters';
const logger = createLogger({ service: 'spec', level: 'silent' });
const opened: { close(): unknown }[] = [];
let seen: string[];
let port: number;

function end(options: Partial<ConstructorParameters<typeof TcpRpc>[0]> = {}): TcpRpc {
  const rpc = new TcpRpc({ sharedSecrets: [secret], logger, ...options });
  opened.push(rpc);
  return rpc;
}

async function callee(options: Parameters<typeof end>[0] = {}): Promise<number> {
  const rpc = end(options);
  const note = async (request: { text: string }) => {
    seen.push(request.text);
    return request;
  };
  rpc.serve(declared, { shout: note, spend: unused });
  return rpc.listen('127.0.0.1', 0);
}

beforeEach(async () => {
  seen = [];
  port = await callee();
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function dial(): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  opened.push({ close: () => socket.destroy() });
  return socket;
}

/** Resolves when the connection has ended in any way. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once('close', () => resolve()));

const frame = (message: unknown) => {
  const text = JSON.stringify(message);
  return `${text.length}#${text}`;
};
const greeting = (given: string) =>
  frame({ pattern: 'greeting', id: '1', data: { secret: given } });
const callsWith = (text: string) =>
  frame({
    pattern: 'calls',
    id: '2',
    data: { name: 'billing.shout', expires_at: 1e15, requests: [{ text }] },
  });
const calls = callsWith('hello');

describe('a connection that has not greeted', () => {
  it('decisions 24: a connection without a greeting is cut after 64 KiB, before a frame is read', async () => {
    const socket = dial();
    socket.write(`${27 * 1024 * 1024}#`);
    const cut = closed(socket);
    socket.write('x'.repeat(70 * 1024));
    await cut;
    expect(socket.bytesRead).toBe(0);
  });

  it('decisions 24: a connection without a greeting is cut at a call, also one with the right secret', async () => {
    const socket = dial();
    socket.write(calls);
    await closed(socket);
    expect(seen).toEqual([]);
  });

  it('answers that the secret is wrong, and closes', async () => {
    const socket = dial();
    socket.write(greeting('another secret of thirty-two characters!'));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain('"refused":"secret"');
    await closed(socket);
  });

  it('is cut when it says nothing for five seconds', async () => {
    const socket = dial();
    await closed(socket);
  });
});

describe('a connection that has greeted', () => {
  async function greeted(): Promise<Socket> {
    const socket = dial();
    socket.write(greeting(secret));
    await once(socket, 'data');
    return socket;
  }

  it('calls, and may send a large frame', async () => {
    const socket = await greeted();
    socket.write(calls);
    await once(socket, 'data');
    expect(seen).toEqual(['hello']);
  });

  it('is read, however many unauthenticated clients hold half frames', async () => {
    const caller = await greeted();
    const outsiders = Array.from({ length: 1_200 }, dial);
    const cut = Promise.race(outsiders.map(closed));
    for (const outsider of outsiders) outsider.write(`65000#${'x'.repeat(64_000)}`);
    await cut;
    const text = 'x'.repeat(200_000);
    for (const socket of [caller, await greeted()]) {
      socket.write(callsWith(text));
      await Promise.race([once(socket, 'data'), closed(socket)]);
    }
    expect(seen).toEqual([text, text]);
  });

  it('cannot hoard half frames together with others', async () => {
    const sockets = await Promise.all(Array.from({ length: 4 }, greeted));
    const cut = Promise.race(sockets.map(closed));
    const half = Buffer.alloc(1024 * 1024, 'x');
    for (const socket of sockets) {
      socket.write(`${FRAME_LENGTH_MAX}#`);
      for (let count = 0; count < 30; count += 1) socket.write(half);
    }
    await cut;
  });
});

describe('secrets', () => {
  it('decisions 24: the secret of one service does not open another', async () => {
    const secrets = { billing: ['b'.repeat(32)], dispatch: ['d'.repeat(32)] };
    const sharedSecrets: string[] = [];
    const address = `127.0.0.1:${await callee({ sharedSecrets, secrets, services: ['billing'] })}`;
    const addresses = { billing: [address] };
    const neighbour = end({
      sharedSecrets,
      secrets: { billing: secrets.dispatch },
      addresses,
    });
    const refused = neighbour.client(declared).shout({ text: 'stolen' });
    await expect(refused).rejects.toMatchObject({ outcomeUnknown: false });
    const gateway = end({ sharedSecrets, secrets, addresses });
    expect(await gateway.client(declared).shout({ text: 'hello' })).toEqual({ text: 'hello' });
    expect(seen).toEqual(['hello']);
  });
});

describe('with certificates', () => {
  it('decisions 24: calls are encrypted, and a caller without one of the authority is refused', async () => {
    const tls = selfSigned();
    const address = `127.0.0.1:${await callee({ tls })}`;
    const caller = (given?: TlsFiles) => end({ tls: given, addresses: { billing: [address] } });
    expect(await caller(tls).client(declared).shout({ text: 'hello' })).toEqual({ text: 'hello' });
    const outsider = { ...selfSigned(), ca: tls.ca };
    for (const other of [caller(), caller(outsider)]) {
      await expect(other.client(declared).shout({ text: 'no' })).rejects.toThrow('unavailable');
    }
    expect(seen).toEqual(['hello']);
  });
});
