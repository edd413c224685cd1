/** Interface 7 and decisions 10: every type that variant A can answer, as a customer meets it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { magicNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let test: { key: string };

beforeAll(async () => {
  customer = await suite.customer();
  test = { key: customer.testKey };
});

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
  it('7: envelope is error with type, message and field', async () => {
    for (const answer of await refusals()) expectError(answer, answer.status, typeOf(answer));
    const { json } = await customer.sendOtp({ code_length: 9 });
    expect(json.error).toMatchObject({ type: 'validation_error', field: 'code_length' });
  });

  it('7: Accept-Language overrides it for one request and never changes type', async () => {
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

  it('7: status: 4xx marks the client’s, 5xx the server’s', async () => {
    const statuses = (await refusals()).map(({ status }) => status);
    expect(statuses).toEqual([400, 401, 404, 405, 415, 402, 403, 429, 500]);
  });
});

describe('decisions 10', () => {
  it('decisions 10: id in a path: that is no UUID is 404 on GET and actions', async () => {
    for (const id of ['nonsense', '123', `${unknownId}0`]) {
      expectError(await customer.getOtp(id), 404, 'not_found');
      expectError(await customer.getSms(id), 404, 'not_found');
      for (const action of ['resend', 'cancel']) {
        expectError(await customer.post(`/v1/otp/${id}/${action}`, undefined), 404, 'not_found');
      }
    }
  });

  it('decisions 10: 405 is validation_error, and Allow has exactly the methods', async () => {
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

  it('decisions 10: X-Request-Id is on every response and in error.request_id', async () => {
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
});
