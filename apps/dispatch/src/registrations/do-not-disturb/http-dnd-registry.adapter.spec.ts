import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { HttpDndRegistry } from './http-dnd-registry.adapter.js';

type Answer = (response: ServerResponse) => unknown;

let server: Server;
let answer: Answer;
let asked: { request: IncomingMessage; body: string }[];
let registry: HttpDndRegistry;
let now: number;
const logger = createLogger({ service: 'dispatch', level: 'silent' });

beforeEach(async () => {
  [asked, now] = [[], 1_000_000];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    asked.push({ request, body });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = open();
});

function open(timeoutMs?: number): HttpDndRegistry {
  const { port } = server.address() as AddressInfo;
  return new HttpDndRegistry({
    url: `http://127.0.0.1:${port}/dnd/lookup?v=1`,
    token: 'open-sesame',
    clock: { now: () => now },
    logger,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

afterEach(async () => {
  await registry.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('the Do Not Disturb registry is asked for all numbers at once, with its token', async () => {
  await registry.close();
  // A busy machine can take longer than a send waits.
  registry = open(30_000);
  answer = (response) => response.end('{"listed":["+2"]}');
  expect(await registry.listed(['+1', '+2'])).toEqual(new Set(['+2']));
  expect(asked.map(({ body }) => body)).toEqual(['{"numbers":["+1","+2"]}']);
  const [{ request } = {}] = asked;
  expect([request?.method, request?.url]).toEqual(['POST', '/dnd/lookup?v=1']);
  expect(request?.headers.authorization).toBe('Bearer open-sesame');
  expect(await registry.listed([])).toEqual(new Set());
  expect(asked).toHaveLength(1);
});

it.each<[string, Answer]>([
  ['an error', (response) => response.writeHead(503).end('{"listed":["+1"]}')],
  ['no JSON', (response) => response.end('<html>')],
  ['null', (response) => response.end('null')],
  ['a list of others', (response) => response.end('{"listed":[1]}')],
  ['too much', (response) => response.end(' '.repeat(100_000))],
  ['a broken connection', (response) => response.destroy()],
  ['half an answer', (response) => response.writeHead(200).write('{"listed":')],
  ['nothing at all', () => undefined],
])(
  'a Do Not Disturb registry that answers %s refuses no number, which is logged once a minute',
  async (_, given) => {
    answer = given;
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    try {
      expect(await registry.listed(['+1'])).toEqual(new Set());
      await registry.listed(['+1']);
      expect(warn).toHaveBeenCalledTimes(1);
      now += 60_000;
      await registry.listed(['+1']);
      expect(warn).toHaveBeenCalledTimes(2);
      expect(JSON.stringify(warn.mock.calls)).not.toContain('+1');
    } finally {
      warn.mockRestore();
    }
  },
);
