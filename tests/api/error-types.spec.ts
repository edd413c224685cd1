/** Interface 7 and decisions 10: every type that variant A can answer, as a customer meets it. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let enforcing: Customer;
let test: { key: string };

beforeAll(async () => {
  customer = await suite.customer();
  enforcing = await suite.customer({ settings: { country_enforcement: 'enforce' } });
  test = { key: customer.testKey };
});

const otpTo = (digits: number) => customer.sendOtp({ phone_number: magicNumber(digits) }, test);
const smsTo = (digits: number) => customer.sendSms({ phone_number: magicNumber(digits) }, test);
const verify = (id: string, code: string) => customer.verify(id, code, test);

async function verifiable(digits: number): Promise<string> {
  return (await otpTo(digits)).json.id as string;
}

/** Returns one refusal of each status that the edge itself can answer. */
async function refusals(send: { headers?: Record<string, string> } = {}): Promise<Answer[]> {
  const nobody = { ...send, key: `svc_test_${'y'.repeat(32)}` };
  const form = { raw: 'a=b', headers: { ...send.headers, 'content-type': 'text/plain' } };
  return [
    await customer.sendOtp({ code_length: 9 }, send),
    await customer.sendOtp({}, nobody),
    await customer.getOtp(unknownId, send),
    await customer.post('/v1/pricing', {}, send),
    await customer.post('/v1/otp/send', undefined, form),
    await customer.sendOtp({ phone_number: magicNumber(33) }, { ...send, ...test }),
    await customer.sendOtp({ phone_number: magicNumber(34) }, { ...send, ...test }),
    await customer.sendOtp({ phone_number: magicNumber(36) }, { ...send, ...test }),
    await customer.sendOtp({ phone_number: magicNumber(37) }, { ...send, ...test }),
  ];
}

const typeOf = ({ json }: Answer) => json.error.type as string;

describe('an error', () => {
  it('7 envelope: is error with type, message and field', async () => {
    for (const answer of await refusals()) expectError(answer, answer.status, typeOf(answer));
    const { json } = await customer.sendOtp({ code_length: 9 });
    expect(json.error).toMatchObject({ type: 'validation_error', field: 'code_length' });
  });

  it('7 Accept-Language: overrides it for one request and never changes type', async () => {
    const english = await refusals({ headers: { 'accept-language': 'en' } });
    const french = await refusals({ headers: { 'accept-language': 'fr' } });
    expect(french.map(typeOf)).toEqual(english.map(typeOf));
    for (const [index, answer] of french.entries()) {
      const { message } = answer.json.error;
      expect([typeOf(answer), message]).not.toEqual([
        typeOf(answer),
        english[index]!.json.error.message,
      ]);
    }
    const after = await customer.getOtp(unknownId);
    const [, , english404] = english;
    expect(after.json.error.message).toBe(english404!.json.error.message);
  });

  it('7 status: 4xx marks the client’s, 5xx the server’s', async () => {
    const statuses = (await refusals()).map(({ status }) => status);
    expect(statuses).toEqual([400, 401, 404, 405, 415, 402, 403, 429, 500]);
  });
});

describe('the types of errors', () => {
  it('7 validation_error: 400: malformed, missing or out of range', async () => {
    const broken = { raw: '{"phone_number":', headers: { 'content-type': 'application/json' } };
    const malformed = await customer.post('/v1/otp/send', undefined, broken);
    expectError(malformed, 400, 'validation_error');
    const missing = await customer.post('/v1/otp/send', {});
    expectError(missing, 400, 'validation_error', 'phone_number');
    const range = await customer.sendOtp({ ttl_seconds: 3_601 });
    expectError(range, 400, 'validation_error', 'ttl_seconds');
  });

  it('7 phone_invalid: 400: the destination of an SMS is not E.164', async () => {
    for (const phone_number of ['2348031234567', '+1234567', '+1234567890123456', '+', 'x']) {
      expectError(await customer.sendSms({ phone_number }), 400, 'phone_invalid', 'phone_number');
    }
    expectError(await smsTo(32), 400, 'phone_invalid', 'phone_number');
  });

  it('7 sender_id_invalid: 400: more than 11 characters, or rejected', async () => {
    const long = await customer.sendSms({ sender_id: 'TwelveLetter' });
    expectError(long, 400, 'sender_id_invalid', 'sender_id');
    expectError(await smsTo(31), 400, 'sender_id_invalid');
  });

  it('7 dnd_blocked: 400: on the registry, and the sender is not whitelisted', async () => {
    expectError(await smsTo(30), 400, 'dnd_blocked');
  });

  it('7 authentication_error: 401: no key that is known', async () => {
    for (const key of ['', 'svc_live_', `svc_live_${'z'.repeat(32)}`, 'sk_live_abc']) {
      expectError(await customer.sendOtp({}, { key }), 401, 'authentication_error');
    }
  });

  it('7 insufficient_credits: 402: the balance is too low', async () => {
    const poor = await suite.customer({ credits: 4 });
    expectError(await poor.sendOtp(), 402, 'insufficient_credits');
    expectError(await poor.sendSms(), 402, 'insufficient_credits');
    expectError(await otpTo(33), 402, 'insufficient_credits');
  });

  it('7 permission_error: 403: the key lacks the permission', async () => {
    const { key } = await customer.newKey('live', 'sending');
    expectError(await customer.sendOtp({}, { key }), 403, 'permission_error');
    expectError(await customer.get('/v1/sms', { key }), 403, 'permission_error');
  });

  it('7 country_not_enabled: 403: the country is off for the workspace', async () => {
    const abroad = { phone_number: freshNumber('KE') };
    expectError(await enforcing.sendOtp(abroad), 403, 'country_not_enabled');
    expectError(await enforcing.sendSms(abroad), 403, 'country_not_enabled');
  });

  it('7 prefix_blocked: 403: blocked by pumping protection', async () => {
    expectError(await otpTo(35), 403, 'prefix_blocked');
  });

  it('7 not_found: 404: unknown, or of another workspace', async () => {
    const { json } = await enforcing.sendOtp();
    for (const id of [unknownId, json.id]) {
      expectError(await customer.getOtp(id), 404, 'not_found');
      expectError(await customer.verify(id, '123456'), 404, 'not_found');
    }
  });

  it('7 otp_expired: 409: verify after expiry', async () => {
    expectError(await verify(await verifiable(61), '123456'), 409, 'otp_expired');
  });

  it('7 otp_already_verified: 409: verify of a verified OTP', async () => {
    const id = await verifiable(0);
    expect((await verify(id, '123456')).json.valid).toBe(true);
    expectError(await verify(id, '123456'), 409, 'otp_already_verified');
  });

  it('7 max_attempts_exceeded: 409: verify after the budget', async () => {
    const id = await verifiable(62);
    expect((await verify(id, '000000')).json).toMatchObject({ valid: false, status: 'failed' });
    expectError(await verify(id, '123456'), 409, 'max_attempts_exceeded');
  });

  it('7 conflict: 409: the state forbids it', async () => {
    const id = await verifiable(0);
    await verify(id, '123456');
    expectError(await customer.post(`/v1/otp/${id}/cancel`, undefined, test), 409, 'conflict');
  });

  it('7 idempotency_conflict: 409: the same key with another body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await customer.sendSms({ message: 'One' }, { headers });
    const other = await customer.sendSms({ message: 'Two' }, { headers });
    expectError(other, 409, 'idempotency_conflict');
  });

  it('7 rate_limited: 429: of variant A, with Retry-After', async () => {
    for (const answer of [await otpTo(36), await smsTo(36)]) {
      expectError(answer, 429, 'rate_limited');
      expect(answer.headers['retry-after']).toBe('1');
    }
  });

  it('7 internal_error: 500: ours', async () => {
    for (const answer of [await otpTo(37), await smsTo(37)]) {
      expectError(answer, 500, 'internal_error');
    }
  });
});

describe('decisions 10', () => {
  it('decisions 10 field: is there whenever one input is to blame', async () => {
    const blamed = [
      [await customer.sendOtp({ phone_number: 'x' }), 'phone_number'],
      [await customer.sendOtp({ code_length: 3 }), 'code_length'],
      [await customer.sendOtp({ ttl_seconds: 0 }), 'ttl_seconds'],
      [await customer.sendOtp({ language: 'de' }), 'language'],
      [await customer.sendOtp({ metadata: [] }), 'metadata'],
      [await customer.sendSms({ phone_number: 'x' }), 'phone_number'],
      [await customer.sendSms({ message: '' }), 'message'],
      [await customer.sendSms({ sender_id: 'TwelveLetter' }), 'sender_id'],
      [await customer.sendSms({ metadata: 1 }), 'metadata'],
      [await customer.verify('x', '1'), 'otp_id'],
      [await customer.post('/v1/otp/verify', { otp_id: unknownId }), 'code'],
      [await customer.get('/v1/otp?limit=0'), 'limit'],
      [await customer.get('/v1/sms?cursor=x'), 'cursor'],
    ] as const;
    for (const [answer, field] of blamed) expect(answer.json.error.field).toBe(field);
  });

  it('decisions 10 id in a path: that is no UUID is 404 on GET and actions', async () => {
    for (const id of ['nonsense', '123', `${unknownId}0`]) {
      expectError(await customer.getOtp(id), 404, 'not_found');
      expectError(await customer.getSms(id), 404, 'not_found');
      for (const action of ['resend', 'cancel']) {
        expectError(await customer.post(`/v1/otp/${id}/${action}`, undefined), 404, 'not_found');
      }
    }
  });

  it('decisions 10 405: is validation_error, and Allow has exactly the methods', async () => {
    const allowed = {
      '/v1/otp/send': 'POST',
      '/v1/otp/verify': 'POST',
      '/v1/sms/send': 'POST',
      '/v1/quote': 'POST',
      [`/v1/otp/${unknownId}/resend`]: 'POST',
      [`/v1/otp/${unknownId}`]: 'GET, HEAD',
      '/v1/otp': 'GET, HEAD',
      '/v1/pricing': 'GET, HEAD',
      '/v1/balance': 'GET, HEAD',
      '/health': 'GET, HEAD',
    };
    for (const [path, allow] of Object.entries(allowed)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (allow.includes(method)) continue;
        const answer = await suite.http.request(method, path, { key: customer.liveKey });
        expectError(answer, 405, 'validation_error');
        expect([method, path, answer.headers['allow']]).toEqual([method, path, allow]);
      }
    }
  });

  it('decisions 10 X-Request-Id: is on every response and in error.request_id', async () => {
    const answers = [
      await customer.sendOtp(),
      await customer.get('/v1/ledger', { headers: { accept: 'text/csv' } }),
      await suite.http.get('/v1/pricing'),
      await suite.http.get('/health'),
      await suite.http.get('/docs'),
      await suite.http.get('/auth/me'),
      await suite.http.get('/dashboard/workspace'),
      await suite.http.post('/callbacks/twilio/wrong', {}),
      await suite.operator.request('GET', '/settings'),
      ...(await refusals()),
    ];
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(answers.length);
    for (const { headers, status, json } of answers) {
      expect(headers['x-request-id']).toMatch(/^\S{8,}$/);
      if (status >= 400) expect(json.error.request_id).toBe(headers['x-request-id']);
    }
  });

  it('decisions 3 refused number: is validation_error for an OTP and phone_invalid for an SMS', async () => {
    for (const phone_number of ['+2341', '+12025550100', '+23480000000000000', 'nobody']) {
      const otp = await customer.sendOtp({ phone_number });
      expectError(otp, 400, 'validation_error', 'phone_number');
      const sms = await customer.sendSms({ phone_number });
      expectError(sms, 400, 'phone_invalid', 'phone_number');
    }
  });
});
