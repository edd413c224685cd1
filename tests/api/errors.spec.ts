/** Errors: interface section 7; decisions 6 and 10. No input causes a 5xx or a charge. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { altered } from '../../libs/testing/src/altered.js';
import type { Send } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 100 });
});

const json = { 'content-type': 'application/json' };
const posts = ['/v1/otp/send', '/v1/otp/verify', '/v1/sms/send'];
const send = (path: string, options: Send) =>
  suite.http.request('POST', path, { key: customer.liveKey, headers: json, ...options });

describe.each(posts)('a body at POST %s', (path) => {
  it.each([
    ['no JSON', '{"phone_number":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['a string', '"text"'],
    ['a number', '5'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['JSON and a half', '{}{}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1')],
    ['a thousand brackets', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['objects nested 10,000 deep', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a huge number', '{"code_length":1e999,"ttl_seconds":1e400}'],
  ])('7: %s is validation_error', async (_, raw) => {
    expectError(await send(path, { raw }), 400, 'validation_error');
  });

  it('decisions 24: more than 64 KiB is 413 validation_error', async () => {
    const raw = JSON.stringify({ phone_number: freshNumber(), message: 'x'.repeat(65_536) });
    expectError(await send(path, { raw }), 413, 'validation_error');
  });

  it('decisions 24: just under 64 KiB is read and judged', async () => {
    const raw = JSON.stringify({ phone_number: 5, message: 'x'.repeat(65_000) });
    expectError(await send(path, { raw }), 400, 'validation_error');
  });

  it('decisions 24: more than 10,000 JSON values are 400 validation_error', async () => {
    const raw = `{"metadata":{"a":[${'1,'.repeat(9_996)}1]}}`;
    const [within, beyond] = [raw, raw.replace('[', '[1,')];
    for (const text of [within, beyond]) {
      expectError(await send(path, { raw: text }), 400, 'validation_error');
    }
    const text = JSON.stringify((await send(path, { raw: beyond })).json);
    expect(text).toContain('10000 JSON values');
    expect(JSON.stringify((await send(path, { raw: within })).json)).not.toContain('JSON values');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
    'decisions 16: Content-Type %s is 415 validation_error',
    async (type) => {
      const answer = await send(path, { raw: '{}', headers: { 'content-type': type } });
      expectError(answer, 415, 'validation_error');
    },
  );

  it('that is compressed is 415, and the message says why', async () => {
    const answer = await send(path, { raw: '{}', headers: { 'content-encoding': 'gzip' } });
    expectError(answer, 415, 'validation_error');
    expect(answer.json.error.message).toContain('Content-Encoding');
    const as = { raw: '{}', headers: { 'content-encoding': 'identity' } };
    expectError(await send(path, as), 400, 'validation_error');
  });
});

describe('no body, of a type that is named all the same', () => {
  it.each(['application/json', 'application/x-www-form-urlencoded'])(
    'decisions 13: is no body where none is needed, here %s',
    async (type) => {
      const own = await suite.customer({ credits: 100 });
      const call = (method: string, path: string, headers: Record<string, string>) =>
        suite.http.request(method, path, {
          raw: '',
          headers: { ...headers, 'content-type': type },
        });
      const operator = { authorization: `Bearer ${suite.system.credentials.operator_token}` };
      const made = await suite.operator.request('POST', `/workspaces/${own.workspace.id}/keys`, {
        mode: 'live',
        permission: 'full',
      });
      const revoked = await call('DELETE', `/operator/v1/keys/${made.json.key_id}`, operator);
      expect(revoked.status).toBe(204);
      const sent = await own.sendOtp();
      const path = `/v1/otp/${sent.json.id}/cancel`;
      const cancelled = await call('POST', path, { authorization: `Bearer ${own.liveKey}` });
      expect(cancelled.status).toBe(200);
    },
  );
});

describe('what a field may hold', () => {
  it('NUL in text is refused or carried, never a 5xx', async () => {
    const otp = await customer.sendOtp({ metadata: { 'a\u0000': 'b\u0000' }, code_length: 3 });
    expectError(otp, 400, 'validation_error');
    const verify = await customer.verify(unknownId, '12\u000034');
    expect([400, 404]).toContain(verify.status);
    const id = await customer.verify('\u0000', '123456');
    expectError(id, 400, 'validation_error', 'otp_id');
  });

  it('NUL in a path is unknown, and in a query it names its parameter', async () => {
    const inPath = await suite.http.delete('/v1/suppressions/%00', { key: customer.liveKey });
    expectError(inPath, 404, 'not_found');
    const inQuery = await customer.get('/v1/ledger?cursor=%00');
    expectError(inQuery, 400, 'validation_error', 'cursor');
  });

  it('a half surrogate in text is never a 5xx', async () => {
    const raw = `{"phone_number":"+234","message":"\\ud83d"}`;
    expect((await send('/v1/sms/send', { raw })).status).toBe(400);
  });

  it('a number that could not come back is refused, and names its field', async () => {
    const raw = '{"phone_number":"+2348031234567","message":"Hello","metadata":{"n":1e400}}';
    expectError(await send('/v1/sms/send', { raw }), 400, 'validation_error', 'metadata.n');
  });

  it.each(['%00', '%ff', 'a'.repeat(5_000), '..%2f..', "'%20or%201=1", '%7B%7D'])(
    'decisions 10: the id %s is 404 like any unknown one',
    async (id) => {
      for (const path of [`/v1/otp/${id}`, `/v1/sms/${id}`]) {
        const answer = await customer.get(path);
        expect([404, 400, 414]).toContain(answer.status);
        expect(answer.json.error.type).toMatch(/^(not_found|validation_error)$/);
      }
    },
  );
});

describe('paths and methods', () => {
  it.each(['/v1', '/v1/', '/v1/nothing', '/v2/otp/send', '/v1/otp/send/more', '/v1/OTP/send'])(
    'decisions 10: %s is 404 not_found',
    async (path) => {
      expectError(await customer.get(path), 404, 'not_found');
    },
  );

  it('4.1: GET /health needs no key', async () => {
    const answer = await suite.http.get('/health');
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 200,
      json: { status: 'ok' },
    });
  });
});

describe('authentication', () => {
  const body = () => ({ phone_number: freshNumber() });
  const almost = () => altered(customer.liveKey);
  const variants: [string, () => Record<string, string>][] = [
    ['no header', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['Bearer without a key', () => ({ authorization: 'Bearer ' })],
    ['the key alone', () => ({ authorization: customer.liveKey })],
    ['Basic', () => ({ authorization: `Basic ${customer.liveKey}` })],
    ['an unknown key', () => ({ authorization: `Bearer svc_live_${'a'.repeat(32)}` })],
    ['one letter off', () => ({ authorization: `Bearer ${almost()}` })],
    ['a key and more', () => ({ authorization: `Bearer ${customer.liveKey} x` })],
    ['the prefix alone', () => ({ authorization: 'Bearer svc_' })],
    ['10 kB of rubbish', () => ({ authorization: `Bearer ${randomBytes(5_000).toString('hex')}` })],
    [
      'the operator token',
      () => ({
        authorization: `Bearer ${suite.system.credentials.operator_token}`,
      }),
    ],
  ];

  it.each(variants)('5.5: %s is 401 authentication_error', async (_, headers) => {
    for (const path of ['/v1/otp/send', '/v1/sms/send']) {
      const answer = await suite.http.post(path, body(), { headers: headers() });
      expectError(answer, 401, 'authentication_error');
    }
    const get = await suite.http.get(`/v1/otp/${unknownId}`, { headers: headers() });
    expectError(get, 401, 'authentication_error');
  });

  it('5: the key comes before the body: nobody learns what is wrong with it', async () => {
    const answer = await suite.http.post('/v1/otp/send', { phone_number: 5 });
    expectError(answer, 401, 'authentication_error');
  });
});

describe('after all that', () => {
  it('decisions 5: a 4xx never charges', async () => {
    expect(await customer.balance()).toBe(100);
    expect((await customer.ledger()).map(({ kind }) => kind)).toEqual(['top_up']);
  });
});
