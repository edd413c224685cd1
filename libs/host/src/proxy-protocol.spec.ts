import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { acceptProxyLines } from './proxy-protocol.js';

let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((asked, response) => {
    void text(asked).then((body) => response.end(`${asked.socket.remoteAddress} ${body}`));
  });
  acceptProxyLines(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const post = (body: string, ending = 'Connection: close\r\n') =>
  `POST / HTTP/1.1\r\nHost: a\r\n${ending}Content-Length: ${body.length}\r\n\r\n${body}`;

async function said(...pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const answer = text(socket).catch(() => '');
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }
  return answer;
}

it('the address of the line is the client’s, however the bytes arrive', async () => {
  const line = 'PROXY TCP4 203.0.113.7 127.0.0.1 5000 80\r\n';
  expect(await said(line + post('hello'))).toContain('203.0.113.7 hello');
  expect(await said(line, post('hello'))).toContain('203.0.113.7 hello');
  expect(await said(line.slice(0, 9), line.slice(9) + post('he').slice(0, -1), 'e')).toContain(
    '203.0.113.7 he',
  );
  const six = 'PROXY TCP6 2001:db8::7 ::1 5000 80\r\n';
  expect(await said(six + post('a', '') + post('b'))).toMatch(/2001:db8::7 a[^]*2001:db8::7 b/);
});

it('without a line, or where the balancer does not know, it is that of the connection', async () => {
  expect(await said(post('hello'))).toContain('127.0.0.1 hello');
  expect(await said(`PROXY UNKNOWN\r\n${post('hello')}`)).toContain('127.0.0.1 hello');
  const asked = request({ port, host: '127.0.0.1', method: 'PUT' }).end('x'.repeat(1_000_000));
  const [answer] = await once(asked, 'response');
  expect((await text(answer)).length).toBe('127.0.0.1 '.length + 1_000_000);
});

it('a line that is none ends the connection', async () => {
  expect(await said(`PROXY TCP4 nonsense\r\n${post('hello')}`)).toBe('');
  expect(await said(`PROXY TCP4 ${'1'.repeat(200)}`)).toBe('');
});
