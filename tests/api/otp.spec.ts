/** Sends and records of one-time passwords: interface sections 2.1, 2.2, 2.4, 2.6; decisions 3 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

describe('POST /v1/otp/send', () => {
  it('2.1, 2.2: POST /v1/otp/send answers exactly the documented fields, with the defaults of what is left out', async () => {
    const phone_number = freshNumber();
    const askedAtMs = Date.now();
    const { status, json } = await customer.sendOtp({ phone_number });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(uuidV7),
      phone_number,
      country_code: 'NG',
      credit_cost: 5,
      status: 'pending',
      code_length: 6,
      expires_at: expect.stringMatching(instant),
      created_at: expect.stringMatching(instant),
    });
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(600_000);
    const createdAtMs = Date.parse(json.created_at);
    expect([askedAtMs <= createdAtMs, createdAtMs <= Date.now()]).toEqual([true, true]);
  });

  it.each([4, 5, 6, 7, 8])('2.1: code_length %d gives a code of that length', async (length) => {
    const number = freshNumber();
    const answer = await customer.sendOtp({ phone_number: number, code_length: length });
    expect(answer.json.code_length).toBe(length);
    expect(await suite.codeAt(number)).toHaveLength(length);
  });

  it.each([
    ['code_length', [0, 3, 9, -6, 4.5, '6', true, null, [6]]],
    ['ttl_seconds', [0, 3601, -1, 1.5, '600', null]],
    ['language', ['de', 'EN', '', 1, null]],
    ['metadata', [['a'], 'text', 1, null]],
  ])('2.1: a wrong %s is refused, not defaulted: %j', async (field, values) => {
    for (const value of values) {
      expectError(await customer.sendOtp({ [field]: value }), 400, 'validation_error', field);
    }
  });

  it.each([1, 3600])('2.1: ttl_seconds %d is accepted and moves expires_at', async (ttl) => {
    const { status, json } = await customer.sendOtp({ ttl_seconds: ttl });
    expect(status).toBe(200);
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(ttl * 1000);
  });

  it('2.1: language chooses the text, Accept-Language never does', async () => {
    const [english, french] = [freshNumber(), freshNumber()];
    const headers = { 'accept-language': 'fr' };
    await customer.sendOtp({ phone_number: english, language: 'en' }, { headers });
    await customer.sendOtp({ phone_number: french, language: 'fr' });
    expect((await suite.handsetWith(1, english))[0]!.body).toMatch(/\byour\b/i);
    expect((await suite.handsetWith(1, french))[0]!.body).toMatch(/\bvotre\b/i);
  });

  it('2.1: an omitted language means the default of the workspace', async () => {
    const french = await suite.customer({ settings: { default_language: 'fr' } });
    const number = freshNumber();
    const answer = await french.sendOtp({ phone_number: number });
    expect((await suite.handsetWith(1, number))[0]!.body).toMatch(/\bvotre\b/i);
    expect((await french.getOtp(answer.json.id)).json.language).toBe('fr');
  });

  it.each(['not a number', '2348031234567', '+23480312', '', 2348031234567, null, {}])(
    'decisions 3, 10: %j is no E.164 number: validation_error on phone_number',
    async (phone_number) => {
      expectError(
        await customer.sendOtp({ phone_number }),
        400,
        'validation_error',
        'phone_number',
      );
    },
  );

  it('2.1: phone_number is a string in E.164 and required', async () => {
    const shortest = '+29051234';
    const others = ['+4915123456789', '+919876543210', '+8613812345678', '+33612345678'];
    const asked = [shortest, ...others, freshNumber('BJ'), freshNumber('CI'), freshNumber('IS')];
    for (const phone_number of asked) {
      const { status, json } = await customer.sendOtp({ phone_number });
      expect([status, json.phone_number]).toEqual([200, phone_number]);
    }
    const missing = await customer.post('/v1/otp/send', { code_length: 6 });
    expectError(missing, 400, 'validation_error', 'phone_number');
  });

  it.each([
    ['KE', 12],
    ['ZA', 20],
    ['GH', 30],
    ['GB', 45],
    ['CI', 60],
    ['BJ', 70],
    ['US', 100],
    ['NO', 120],
  ] as const)(
    '1.10, 2.2, decisions 3: %s is the country_code of its numbers and costs %d credits',
    async (country, credits) => {
      const { json } = await customer.sendOtp({ phone_number: freshNumber(country) });
      expect(json).toMatchObject({ country_code: country, credit_cost: credits });
    },
  );

  it('2.1: metadata comes back from GET as it was given', async () => {
    const metadata = { order: 'A-1', nested: { list: [1, null, 'é'] }, '': false, n: 1.5 };
    const { json } = await customer.sendOtp({ metadata });
    expect((await customer.getOtp(json.id)).json.metadata).toEqual(metadata);
  });

  it('decisions 3: metadata has at most 50 keys', async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
    expect((await customer.sendOtp({ metadata: keys(50) })).status).toBe(200);
    const answer = await customer.sendOtp({ metadata: keys(51) });
    expectError(answer, 400, 'validation_error', 'metadata');
  });

  it('decisions 3: metadata has at most 4 KiB', async () => {
    const sized = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    expect((await customer.sendOtp({ metadata: sized(4096) })).status).toBe(200);
    const over = await customer.sendOtp({ metadata: sized(4097) });
    expectError(over, 400, 'validation_error', 'metadata');
    const wide = await customer.sendOtp({ metadata: { text: 'é'.repeat(2100) } });
    expectError(wide, 400, 'validation_error', 'metadata');
  });
});

describe('GET /v1/otp/{id}', () => {
  it('2.4: GET /v1/otp/{id} has every required field with its type, right after the send too', async () => {
    const phone_number = freshNumber();
    const sent = await customer.sendOtp({ phone_number, ttl_seconds: 120, code_length: 5 });
    const atOnce = await customer.getOtp(sent.json.id);
    expect(atOnce.status).toBe(200);
    const record = await customer.otpWith('delivered', sent.json.id);
    expect(record).toEqual({
      id: sent.json.id,
      workspace_id: customer.id,
      phone_number,
      country_code: 'NG',
      credit_cost: 5,
      status: 'delivered',
      code_length: 5,
      ttl_seconds: 120,
      attempt_count: 0,
      max_attempts: 5,
      language: 'en',
      expires_at: sent.json.expires_at,
      created_at: sent.json.created_at,
      updated_at: expect.stringMatching(instant),
      metadata: {},
      timeline: expect.any(Array),
      provider_attempts: [
        {
          provider: 'africas_talking',
          attempted_at: expect.stringMatching(instant),
          ok: true,
          provider_message_id: expect.any(String),
        },
      ],
      test_mode: false,
      sent_at: expect.stringMatching(instant),
      delivered_at: expect.stringMatching(instant),
      verified_at: null,
      failed_at: null,
    });
    const early = { ...atOnce.json, status: 0, timeline: 0, updated_at: 0 };
    expect(Object.keys(early).sort()).toEqual(Object.keys(record).sort());
  });

  it('2.4: GET /v1/otp/{id} says the same at once as later', async () => {
    const strict = await suite.customer({
      settings: { otp_max_attempts: 3, default_language: 'fr' },
    });
    const constant = ['max_attempts', 'language', 'ttl_seconds', 'metadata', 'test_mode'];
    for (let time = 0; time < 10; time += 1) {
      const { json } = await strict.sendOtp({ metadata: { time } });
      const { json: early } = await strict.getOtp(json.id);
      const late = await strict.otpWith('delivered', json.id);
      for (const field of constant) expect([field, early[field]]).toEqual([field, late[field]]);
      expect(late.max_attempts).toBe(3);
    }
  });
});
