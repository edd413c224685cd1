import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN, UNLIMITED, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';

let workspace: WorkspaceKeys;
let port: number;

useGateway();

beforeAll(async () => {
  await liftAddressLimits();
  workspace = await gateway.newWorkspace(UNLIMITED);
  await gateway.app.listen(0, '127.0.0.1');
  port = Number(new URL(await gateway.app.getUrl()).port);
});

/** Returns the server's answer to these bytes, as text. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('paths and methods', () => {
  it('does not let an escaped path around the gate', async () => {
    const body = { phone_number: '+2348031234567' };
    const { status } = await gateway.post('/%76%31/otp/send', undefined, body);
    expect([401, 404]).toContain(status);
  });
});

describe('what Node refuses before there is a request', () => {
  it.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400],
    [
      'headers that are too large',
      `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'two lengths',
      'POST /v1/otp/send HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
  ])('%s', async (_name, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(body.error).toMatchObject({ type: 'validation_error' });
  });

  it('answers a request without Host in the envelope', async () => {
    const answer = await exchange('GET /nope HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain('"not_found"');
  });
});

describe('bodies that are too large', () => {
  it.each(['keep-alive', 'close'])(
    'decisions 24: are answered 413 to a client that reads after it has sent all, with Connection: %s',
    async (connection) => {
      const bytes = 8 * 1024 * 1024;
      const head = [
        'POST /v1/sms/batch HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${workspace.live_key}`,
        'Content-Type: application/json',
        `Content-Length: ${bytes}`,
        `Connection: ${connection}`,
      ];
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1').pause();
        socket.on('error', reject);
        socket.on('data', (chunk) => {
          resolve(chunk.toString());
          socket.destroy();
        });
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(' '.repeat(bytes), (error) => (error ? reject(error) : socket.resume()));
      });
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
    },
  );
});

describe('secrets', () => {
  it('stay out of logs', async () => {
    gateway.billing.script.push(() => Promise.reject(new Error('broken')));
    await gateway.post('/v1/otp/send', workspace.live_key, { phone_number: '+2348031234567' });
    const logged = gateway.logs.join('');
    expect(logged).toContain('broken');
    for (const secret of [workspace.live_key, workspace.test_key, OPERATOR_TOKEN, '8031234567']) {
      expect(logged).not.toContain(secret);
    }
  });
});

describe('hints', () => {
  it.each(['/v1/otp/send?a=1', '/v1/balance?verbose=1', '/v1/otp?a=1', '/health?a=1'])(
    'decisions 17: names a query parameter that %s does not know',
    async (url) => {
      const method = url.includes('send') ? 'POST' : 'GET';
      const headers = { authorization: `Bearer ${workspace.live_key}` };
      const answer = await gateway.call({ method, url, headers });
      const field = url.split('?')[1]?.split('=')[0];
      expect([answer.status, answer.body.error.field]).toEqual([400, field]);
    },
  );
});
