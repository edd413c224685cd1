/** Interface 4.1: each endpoint of variant A with its success and every error status it names. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let poor: Customer;
let test: { key: string };

beforeAll(async () => {
  customer = await suite.customer();
  poor = await suite.customer({ credits: 0 });
  test = { key: customer.testKey };
});

const nobody = { key: `svc_live_${'x'.repeat(32)}` };

/** Test mode answers 500, 403 and 429 for these numbers, with any other fields. */
async function expectMagicRefusals(send: (digits: number) => Promise<Answer>): Promise<void> {
  expectError(await send(34), 403, 'country_not_enabled');
  expectError(await send(35), 403, 'prefix_blocked');
  const limited = await send(36);
  expectError(limited, 429, 'rate_limited');
  expect(limited.headers['retry-after']).toBe('1');
  expectError(await send(37), 500, 'internal_error');
}

describe('the endpoints of variant A', () => {
  it('4.1, 7: POST /v1/otp/send answers 200 and is refused as documented', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await customer.sendOtp({}, { headers })).status).toBe(200);
    expectError(await customer.sendOtp({ code_length: 9 }), 400, 'validation_error', 'code_length');
    expectError(await customer.sendOtp({}, nobody), 401, 'authentication_error');
    expectError(await poor.sendOtp(), 402, 'insufficient_credits');
    await expectMagicRefusals((digits) =>
      customer.sendOtp({ phone_number: magicNumber(digits) }, test),
    );
  });

  it('4.1, 7: POST /v1/otp/verify answers 200 and is refused as documented', async () => {
    const limits = { otp_verifications_per_number_per_10_minutes: 2 };
    const limited = await suite.customer({ settings: { limits } });
    const { json } = await limited.sendOtp();
    const headers = { 'idempotency-key': randomUUID() };
    expect((await limited.verify(json.id, 'wrong', { headers })).status).toBe(200);
    expectError(await limited.verify('no id', '1'), 400, 'validation_error', 'otp_id');
    expectError(await limited.verify(json.id, '1', nobody), 401, 'authentication_error');
    expectError(await limited.verify(unknownId, '1'), 404, 'not_found');
    const cancelled = await limited.sendOtp();
    await limited.post(`/v1/otp/${cancelled.json.id}/cancel`, undefined);
    expectError(await limited.verify(cancelled.json.id, '1'), 409, 'conflict');
    await limited.verify(json.id, 'wrong');
    expectError(await limited.verify(json.id, 'wrong'), 429, 'rate_limited');
  });

  it('4.1, 7: GET /v1/otp/{id} answers 200 and is refused as documented', async () => {
    const { json } = await customer.sendOtp();
    expect((await customer.getOtp(json.id)).status).toBe(200);
    expectError(await customer.getOtp(json.id, nobody), 401, 'authentication_error');
    expectError(await customer.getOtp(unknownId), 404, 'not_found');
    expectError(await (await limitedToOne()).getOtp(unknownId), 429, 'rate_limited');
  });

  it('4.1, 7: POST /v1/sms/send answers 200 and is refused as documented', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await customer.sendSms({}, { headers })).status).toBe(200);
    expectError(await customer.sendSms({ message: '' }), 400, 'validation_error', 'message');
    expectError(await customer.sendSms({}, nobody), 401, 'authentication_error');
    expectError(await poor.sendSms(), 402, 'insufficient_credits');
    await expectMagicRefusals((digits) =>
      customer.sendSms({ phone_number: magicNumber(digits) }, test),
    );
  });

  it('4.1, 7: GET /v1/sms/{id} answers 200 and is refused as documented', async () => {
    const { json } = await customer.sendSms();
    expect((await customer.getSms(json.id)).status).toBe(200);
    expectError(await customer.getSms(json.id, nobody), 401, 'authentication_error');
    expectError(await customer.getSms(unknownId), 404, 'not_found');
    expectError(await (await limitedToOne()).getSms(unknownId), 429, 'rate_limited');
  });

  it('4: /v1: bodies are JSON, in and out', async () => {
    const body = { phone_number: freshNumber() };
    const answers = [
      await customer.sendOtp(body),
      await customer.get('/v1/otp'),
      await customer.get('/v1/sms'),
      await customer.get('/v1/balance'),
      await customer.get('/v1/ledger'),
      await customer.get('/v1/events'),
      await suite.http.get('/v1/pricing'),
      await suite.http.get('/health'),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
      expect(typeof json).toBe('object');
    }
    const raw = new URLSearchParams(body).toString();
    const form = { raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expectError(await customer.post('/v1/otp/send', undefined, form), 415, 'validation_error');
  });
});

/** A customer with the one call of this minute spent. */
async function limitedToOne(): Promise<Customer> {
  const limited = await suite.customer({ settings: { limits: { key_per_minute: 1 } } });
  await limited.getOtp(unknownId);
  return limited;
}
