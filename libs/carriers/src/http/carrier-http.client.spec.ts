import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CarrierHttpClient } from './carrier-http.client.js';

const CONNECTIONS = 64;

describe('the HTTP client of the carriers', () => {
  let server: Server;
  let client: CarrierHttpClient;
  let listener: RequestListener;
  let requests = 0;

  beforeEach(async () => {
    requests = 0;
    listener = (_request, response) => void response.end('ok');
    server = createServer((request, response) => {
      requests += 1;
      request.resume();
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new CarrierHttpClient(`http://127.0.0.1:${port}/carrier/`);
  });
  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const post = (deadlineMs = 60_000, traceparent?: string) =>
    client.post(client.pathOf('/send'), {}, 'body', { deadlineMs, traceparent });

  const received = async (count: number) => {
    for (;;) {
      if (requests >= count) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('a request that waited for a connection beyond its deadline is never sent', async () => {
    const open: ServerResponse[] = [];
    listener = (_request, response) => void open.push(response);
    const hanging = Array.from({ length: CONNECTIONS }, () => post());
    await received(CONNECTIONS);
    await expect(post(200)).resolves.toEqual({ kind: 'unsent', code: 'DEADLINE' });
    listener = (_request, response) => void response.end('ok');
    for (const response of open) response.end('late');
    for (const result of await Promise.all(hanging)) expect(result.kind).toBe('answered');
    await expect(post()).resolves.toMatchObject({ kind: 'answered', body: 'ok' });
    expect(requests).toBe(CONNECTIONS + 1);
  });

  it('an answer whose body was cut off keeps its status', async () => {
    listener = (_request, response) => {
      response.writeHead(503, { 'retry-after': '7', 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    await expect(post()).resolves.toEqual({
      kind: 'answered',
      status: 503,
      retryAfter: '7',
      errorType: null,
      body: null,
    });
  });

  it('a body above the limit is not read', async () => {
    const body = 'é'.repeat(32 * 1_024);
    listener = (_request, response) => void response.end(body);
    await expect(post()).resolves.toMatchObject({ kind: 'answered', body });
    listener = (_request, response) => void response.end(`${body}!`);
    await expect(post()).resolves.toMatchObject({ kind: 'answered', status: 200, body: null });
  });

  it('a body that drips beyond the deadline is cut off', async () => {
    listener = (_request, response) => {
      response.writeHead(200).write('{');
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    for (const deadlineMs of [250, 2_000, 20_000]) {
      const result = await post(deadlineMs);
      // On a slow machine the request is not written before the first deadline.
      if (result.kind === 'unsent') continue;
      return expect(result).not.toHaveProperty('body', expect.any(String));
    }
    throw new Error('no request was written before its deadline');
  });

  it('a redirect is not followed', async () => {
    listener = (_request, response) => void response.writeHead(307, { location: '/' }).end();
    await expect(post()).resolves.toMatchObject({ kind: 'answered', status: 307 });
    expect(requests).toBe(1);
  });

  it('an interim answer is not the answer', async () => {
    listener = (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      setTimeout(() => response.end('ok'), 50);
    };
    await expect(post()).resolves.toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
    listener = (_request, response) => response.writeEarlyHints({ link: '</a>; rel=preload' });
    const pending = post();
    await received(2);
    await client.close();
    await expect(pending).resolves.toMatchObject({ kind: 'unanswered' });
  });
});
