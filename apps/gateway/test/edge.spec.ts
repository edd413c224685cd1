import { connect } from 'node:net';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ROUTES } from '@watchword/contracts';
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

const JSON_BODY = { 'content-type': 'application/json' };

const raw = (body: string | Buffer, headers: object = JSON_BODY) =>
  gateway.post('/v1/otp/send', workspace.live_key, body, headers);

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

describe('bodies', () => {
  it.each([
    ['broken JSON', '{"phone_number":'],
    ['nothing', ''],
    ['a lone value', '5'],
    ['null', 'null'],
    ['a list', '[]'],
    ['deep nesting', `{"metadata":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['very deep nesting', `${'['.repeat(60_000)}`],
    ['a prototype key', '{"phone_number":"+2348031234567","__proto__":{"x":1}}'],
    ['a hidden prototype key', '{"metadata":{"\\u005f_proto__":{}}}'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('refuses %s', async (_name, body) => {
    const answer = await raw(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.type).toBe('validation_error');
    expect(answer.body.error.request_id).toBe(answer.headers['x-request-id']);
  });

  it.each([
    ['NUL in a value', '{"phone_number":"+2348031234567","metadata":{"a":"x\\u0000"}}'],
    ['NUL in a key', '{"phone_number":"+2348031234567","metadata":{"a\\u0000":1}}'],
    ['half a character', '{"phone_number":"+2348031234567","metadata":{"a":"\\ud83d"}}'],
  ])('refuses %s and names the field', async (_name, body) => {
    expect((await raw(body)).body.error).toMatchObject({ field: 'metadata' });
  });

  /** A handler that reads no body would take any. */
  const readers = ROUTES.filter(({ body, guard }) => body && guard === 'key');
  it.each(readers.map(({ method, path }) => [method, path] as const))(
    '%s %s takes no lone value',
    async (method, path) => {
      const url = path.replaceAll(/:\w+/g, '01890000-0000-7000-8000-000000000000');
      const headers = { ...JSON_BODY, authorization: `Bearer ${workspace.live_key}` };
      const { status, body } = await gateway.call({ method, url, headers, payload: '7' });
      expect([status, body.error.type]).toEqual([400, 'validation_error']);
    },
  );

  it('takes whole characters that are escaped', async () => {
    const body = '{"phone_number":"+2348031234567","metadata":{"a":"\\ud83d\\ude00"}}';
    expect((await raw(body)).status).toBe(200);
    expect([...gateway.billing.commands.values()].at(-1)?.metadata).toEqual({ a: '😀' });
  });

  it('answers 413 beyond one MiB elsewhere', async () => {
    const ofBytes = (count: number) =>
      gateway.operator('PUT', '/prices', `"${'x'.repeat(count - 2)}"`, JSON_BODY);
    const { status, body } = await ofBytes(1_048_577);
    expect([status, body.error.type]).toEqual([413, 'validation_error']);
    expect((await ofBytes(1_048_576)).status).toBe(400);
  });

  it('refuses more than 10,000 values before it parses them', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    try {
      const values = `[${'{},'.repeat(10_000)}{}]`;
      const answers = [
        await gateway.post('/v1/quote', workspace.live_key, values, JSON_BODY),
        await gateway.operator('PUT', '/prices', values, JSON_BODY),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error.type]).toEqual([400, 'validation_error']);
        expect(body.error.message).toContain('10000 JSON values');
      }
      expect(parse.mock.calls.filter(([text]) => text === values)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });

  it('takes a charset, and no type at all only without a body', async () => {
    const json = '{"phone_number":"+2348031234567"}';
    const typed = await raw(json, { 'content-type': 'application/json; charset=utf-8' });
    expect(typed.status).toBe(200);
    const head = `Host: x\r\nAuthorization: Bearer ${workspace.live_key}\r\nConnection: close\r\n`;
    const length = `Content-Length: ${json.length}\r\n`;
    const untyped = `POST /v1/otp/send HTTP/1.1\r\n${head}${length}\r\n${json}`;
    expect(await exchange(untyped)).toMatch(/^HTTP\/1.1 415 /);
    expect(await exchange(`POST /v1/otp/send HTTP/1.1\r\n${head}\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('paths and methods', () => {
  it('lets HEAD and OPTIONS ask', async () => {
    const head = await gateway.call({ method: 'HEAD', url: '/health' });
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await gateway.call({ method: 'OPTIONS', url: '/v1/pricing' });
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD']);
    expect((await gateway.call({ method: 'OPTIONS', url: '/nope' })).status).toBe(404);
  });

  it.each([
    ['cannot be decoded', '/v1/otp/%zz'],
    ['is not UTF-8', '/v1/otp/%ff'],
    ['is very long', `/v1/otp/${'a'.repeat(5_000)}`],
  ])('counts a path that %s, and requires a key', async (_name, url) => {
    const { live_key: key } = await gateway.newWorkspace();
    expect((await gateway.get(url)).status).toBe(401);
    const before = await gateway.get('/v1/balance', key);
    const found = await gateway.get(url, key);
    expect(found).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } });
    const after = await gateway.get('/v1/balance', key);
    const remaining = ({ headers }: typeof before) => Number(headers['x-ratelimit-remaining']);
    expect(remaining(before) - remaining(after)).toBe(2);
  });

  it('tells a key how many requests remain, also after OPTIONS', async () => {
    const { live_key: key } = await gateway.newWorkspace();
    const headers = { authorization: `Bearer ${key}` };
    const options = await gateway.call({ method: 'OPTIONS', url: '/v1/otp/send', headers });
    expect(options.status).toBe(204);
    expect(options.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  });

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

  it('does not mind an expectation that it does not know', async () => {
    const head = 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n';
    expect(await exchange(head)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('answers a request without Host in the envelope', async () => {
    const answer = await exchange('GET /nope HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(answer).toContain('"not_found"');
  });
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
  it.each(['+234 803-123-4567', '00234 (803) 123 4567', '2348031234567 '])(
    'names the E.164 form that "%s" probably means, where there is one',
    async (written) => {
      const body = { phone_number: written };
      const answer = await gateway.post('/v1/otp/send', workspace.live_key, body);
      expect([answer.status, answer.body.error.field]).toEqual([400, 'phone_number']);
      const hint = 'did you mean "+2348031234567"?';
      expect(answer.body.error.message.includes(hint)).toBe(!written.startsWith('2'));
    },
  );

  it('names the route that does not exist', async () => {
    const { body } = await gateway.post('/v1/otp/send/', workspace.live_key, {});
    expect(body.error.message).toBe('No route: POST /v1/otp/send/.');
  });

  it.each(['/v1/otp/send?a=1', '/v1/balance?verbose=1', '/v1/otp?a=1', '/health?a=1'])(
    'names a query parameter that %s does not know',
    async (url) => {
      const method = url.includes('send') ? 'POST' : 'GET';
      const headers = { authorization: `Bearer ${workspace.live_key}` };
      const answer = await gateway.call({ method, url, headers });
      const field = url.split('?')[1]?.split('=')[0];
      expect([answer.status, answer.body.error.field]).toEqual([400, field]);
    },
  );
});
