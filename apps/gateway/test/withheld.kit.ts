import { connect } from 'node:net';
import { jest } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { KeyGuard } from '../src/edge/guards/key.guard.js';
import { OperatorGuard } from '../src/edge/guards/operator.guard.js';
import { SessionGuard } from '../src/edge/guards/session.guard.js';
import type { TestGateway } from './gateway.kit.js';

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: object;
}

export interface Withheld {
  /** Sends the last byte. */
  release(): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
}

/** Listens on a port, which is returned. */
export async function listen({ app }: TestGateway): Promise<number> {
  await app.listen(0, '127.0.0.1');
  return Number(new URL(await app.getUrl()).port);
}

/** Sends a request but for its last byte, and waits until its guard has admitted it. */
export async function withhold(
  gateway: TestGateway,
  port: number,
  request: Request,
): Promise<Withheld> {
  const bytes = bytesOf(request);
  const entered = [
    ...[KeyGuard, OperatorGuard, SessionGuard].map((guard) =>
      jest.spyOn(gateway.app.get<{ enter(): unknown }>(guard, { strict: false }), 'enter'),
    ),
    jest.spyOn(gateway.app.get(KeyGuard, { strict: false }), 'enterAs'),
  ];
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes.slice(0, -1)));
  let answer = '';
  const closed = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
  try {
    const guarded = () => entered.flatMap(({ mock }) => mock.results)[0];
    const { value } = await waitUntil('the guard', async () => guarded());
    if ((await value) !== undefined) throw new Error('The guard has refused the request.');
  } finally {
    for (const spy of entered) spy.mockRestore();
  }
  return {
    async release() {
      socket.write(bytes.slice(-1));
      return read(await closed);
    },
  };
}

/** Sends a request in one piece. */
export function send(port: number, request: Request): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf(request)));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(read(answer)));
    socket.on('error', reject);
  });
}

function bytesOf({ method, path, headers, body = {} }: Request): string {
  const text = JSON.stringify(body);
  const all = {
    host: 'localhost',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n');
}

function read(answer: string) {
  const [head = '', text = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: text === '' ? undefined : JSON.parse(text) };
}
