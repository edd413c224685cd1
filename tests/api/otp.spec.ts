/** One-time passwords: interface sections 2.1 to 2.4, 2.6, 3.1, 4.1; decisions 3, 12 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inTime } from '../support/in-time.js';
import { freshNumber, magicNumber } from '../support/numbers.js';
import {
  type Customer,
  expectError,
  instant,
  unknownId,
  useSystem,
  uuidV7,
  wrongCodeFor,
} from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

/** Sends with the live key and reads the code from the handset. */
async function sendAndRead(body: Record<string, unknown> = {}, by = customer) {
  const number = freshNumber();
  const answer = await by.sendOtp({ phone_number: number, ...body });
  expect(answer.status).toBe(200);
  const code = await suite.codeAt(number);
  return { id: answer.json.id as string, number, code, wrong: wrongCodeFor(code) };
}

const untilPast = (time: number) => waitUntil('the expiry', () => Date.now() > time + 5);

/** A code that was tried once while it lived, after its expiry. */
async function triedBeforeExpiry(by: Customer, tried: (code: string) => string) {
  const { expiresAtMs, ...otp } = await inTime(async () => {
    const { id, code, expiresAtMs } = await by.shortLivedOtp();
    const answer = await by.verify(id, tried(code));
    return answer.status === 200 ? { id, code, answer, expiresAtMs } : undefined;
  });
  await untilPast(expiresAtMs);
  return otp;
}

describe('POST /v1/otp/send', () => {
  it('2.2: answers exactly the documented fields with their types', async () => {
    const phone_number = freshNumber();
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
    expect(Math.abs(Date.parse(json.created_at) - Date.now())).toBeLessThan(60_000);
  });

  it.each([4, 5, 6, 7, 8])('2.1: code_length %d gives a code of that length', async (length) => {
    const number = freshNumber();
    const answer = await customer.sendOtp({ phone_number: number, code_length: length });
    expect(answer.json.code_length).toBe(length);
    expect(await suite.codeAt(number)).toHaveLength(length);
  });

  it.each([0, 3, 9, -6, 4.5, '6', true, null, [6]])(
    '2.1: code_length %j is refused, not defaulted',
    async (code_length) => {
      expectError(await customer.sendOtp({ code_length }), 400, 'validation_error', 'code_length');
    },
  );

  it.each([1, 3600])('2.1: ttl_seconds %d is accepted and moves expires_at', async (ttl) => {
    const { status, json } = await customer.sendOtp({ ttl_seconds: ttl });
    expect(status).toBe(200);
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(ttl * 1000);
  });

  it.each([0, 3601, -1, 1.5, '600', null])(
    '2.1: ttl_seconds %j is refused',
    async (ttl_seconds) => {
      expectError(await customer.sendOtp({ ttl_seconds }), 400, 'validation_error', 'ttl_seconds');
    },
  );

  it.each(['de', 'EN', '', 1, null])('2.1: language %j is refused', async (language) => {
    expectError(await customer.sendOtp({ language }), 400, 'validation_error', 'language');
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

  it.each([
    'not a number',
    '2348031234567',
    '+0348031234567',
    '+234 803 123 4567',
    '+2348031234567 ',
    '+23480312',
    '+1234567890123456',
    '+2348031234567;ext=5',
    '',
    2348031234567,
    null,
    {},
  ])('10: %j is no E.164 number: validation_error on phone_number', async (phone_number) => {
    expectError(await customer.sendOtp({ phone_number }), 400, 'validation_error', 'phone_number');
  });

  it('2.1: a missing phone_number is named', async () => {
    const answer = await customer.post('/v1/otp/send', {});
    expectError(answer, 400, 'validation_error', 'phone_number');
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
  ] as const)('1.10, decisions 3: %s costs %d credits', async (country, credits) => {
    const { json } = await customer.sendOtp({ phone_number: freshNumber(country) });
    expect(json).toMatchObject({ country_code: country, credit_cost: credits });
  });

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

  it.each([[[]], ['text'], [1], [null]])('2.1: metadata %j is no object', async (metadata) => {
    expectError(await customer.sendOtp({ metadata }), 400, 'validation_error', 'metadata');
  });
});

describe('GET /v1/otp/{id}', () => {
  it('2.4: has every required field with its type, right after the send too', async () => {
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

  it('2.4: says the same at once as later', async () => {
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

  it('2.4: never shows the code', async () => {
    const { id, code } = await sendAndRead({ code_length: 8 });
    await customer.otpWith('delivered', id);
    expect((await customer.getOtp(id)).text).not.toContain(code);
  });

  it('2.6: the timeline lists the reached hops, oldest first', async () => {
    const { id, code } = await sendAndRead();
    await customer.otpWith('delivered', id);
    await customer.verify(id, code);
    const { timeline, verified_at } = (await customer.getOtp(id)).json;
    const hops = timeline as { status: string; timestamp: string }[];
    expect(hops.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered', 'verified']);
    const times = hops.map(({ timestamp }) => Date.parse(timestamp));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const { timestamp } of hops) expect(timestamp).toMatch(instant);
    expect(hops.at(-1)!.timestamp).toBe(verified_at);
  });

  it.each([unknownId, 'nonsense', '123'])('4.1: %s is 404 not_found', async (id) => {
    expectError(await customer.getOtp(id), 404, 'not_found');
  });

  it('4.1: the OTP of another workspace is 404, and so is an SMS', async () => {
    const stranger = await suite.customer();
    const { json } = await stranger.sendOtp();
    expectError(await customer.getOtp(json.id), 404, 'not_found');
    const sms = await customer.sendSms();
    expectError(await customer.getOtp(sms.json.id), 404, 'not_found');
  });
});

describe('POST /v1/otp/verify', () => {
  it('2.3: the right code is valid and has no attempts_remaining', async () => {
    const { id, code } = await sendAndRead();
    const { status, json } = await customer.verify(id, code);
    expect(status).toBe(200);
    expect(json).toEqual({ valid: true, status: 'verified', attempts_used: 1 });
    const record = (await customer.getOtp(id)).json;
    expect(record).toMatchObject({ status: 'verified', attempt_count: 1 });
    expect(record.verified_at).toMatch(instant);
  });

  it('4.1 rule 2: a wrong code with attempts left is 200 and counts', async () => {
    const { id, code, wrong } = await sendAndRead();
    await customer.otpWith('delivered', id);
    const first = await customer.verify(id, wrong);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({
      valid: false,
      status: 'sent',
      attempts_used: 1,
      attempts_remaining: 4,
    });
    expect((await customer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 2 });
  });

  it.each(['', 'abcdef', '1', '0'.repeat(100), '１２３４５６'])(
    '4.1 rule 2: %j is never valid and never an error of ours',
    async (code) => {
      const { id } = await sendAndRead();
      const answer = await customer.verify(id, code);
      if (answer.status === 200) expect(answer.json.valid).toBe(false);
      else expectError(answer, 400, 'validation_error', 'code');
    },
  );

  it('3.1: the wrong code that exhausts the budget fails the OTP; then 409', async () => {
    const { id, code, wrong } = await sendAndRead();
    await customer.otpWith('delivered', id);
    for (const used of [1, 2, 3, 4]) {
      const answer = await customer.verify(id, wrong);
      expect(answer.json).toMatchObject({ attempts_used: used, attempts_remaining: 5 - used });
    }
    const last = await customer.verify(id, wrong);
    expect(last.status).toBe(200);
    expect(last.json).toEqual({
      valid: false,
      status: 'failed',
      attempts_used: 5,
      attempts_remaining: 0,
    });
    expectError(await customer.verify(id, code), 409, 'max_attempts_exceeded');
    const record = (await customer.getOtp(id)).json;
    expect(record).toMatchObject({
      status: 'failed',
      attempt_count: 5,
      reason: 'max_attempts_exceeded',
      refunded: false,
    });
    expect(record.timeline.at(-1)).toMatchObject({
      status: 'failed',
      reason: 'max_attempts_exceeded',
      refunded: false,
    });
  });

  it('4.1: verified again is 409 otp_already_verified, with a wrong code too', async () => {
    const { id, code, wrong } = await sendAndRead();
    await customer.verify(id, code);
    expectError(await customer.verify(id, code), 409, 'otp_already_verified');
    expectError(await customer.verify(id, wrong), 409, 'otp_already_verified');
    expect((await customer.getOtp(id)).json.attempt_count).toBe(1);
  });

  it('decisions 3: past expires_at it is expired, not refunded; verify is 409', async () => {
    const payer = await suite.customer({ credits: 100 });
    const { id, code, expiresAtMs } = await payer.shortLivedOtp();
    await untilPast(expiresAtMs);
    expectError(await payer.verify(id, code), 409, 'otp_expired');
    const record = (await payer.getOtp(id)).json;
    expect(record.status).toBe('expired');
    expect(record.timeline.at(-1).status).toBe('expired');
    expect(record).not.toHaveProperty('refunded', true);
    expect(await payer.balance()).toBe(95);
  });

  it('decisions 3: GET alone finds the expiry', async () => {
    const { id, expiresAtMs } = await customer.shortLivedOtp();
    await untilPast(expiresAtMs);
    expect((await customer.getOtp(id)).json.status).toBe('expired');
  });

  it('decisions 3: verified wins over expired', async () => {
    const { id, code, answer } = await triedBeforeExpiry(customer, (code) => code);
    expect(answer.json.valid).toBe(true);
    expectError(await customer.verify(id, code), 409, 'otp_already_verified');
    expect((await customer.getOtp(id)).json.status).toBe('verified');
  });

  it('decisions 3: exhausted wins over expired', async () => {
    const strict = await suite.customer({ settings: { otp_max_attempts: 1 } });
    const { id, code, answer } = await triedBeforeExpiry(strict, wrongCodeFor);
    expect(answer.json).toMatchObject({ status: 'failed', attempts_remaining: 0 });
    expectError(await strict.verify(id, code), 409, 'max_attempts_exceeded');
  });

  it('decisions 3: an OTP that failed for another reason is 409 conflict', async () => {
    const number = freshNumber();
    await suite.scenario({ to: number, receipts: [{ after_ms: 20, outcome: 'failed' }] });
    const { json } = await customer.sendOtp({ phone_number: number });
    await customer.otpWith('failed', json.id);
    expectError(await customer.verify(json.id, '000000'), 409, 'conflict');
  });

  it('3.1: of twenty guesses at once exactly five are compared', async () => {
    const guarded = await suite.customer({
      settings: { limits: { otp_verifications_per_number_per_10_minutes: null } },
    });
    const { id, wrong, code } = await sendAndRead({}, guarded);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guarded.verify(id, wrong)));
    const compared = answers.filter(({ status }) => status === 200);
    expect(compared.map(({ json }) => json.attempts_used).sort()).toEqual([1, 2, 3, 4, 5]);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'max_attempts_exceeded');
    }
    expectError(await guarded.verify(id, code), 409, 'max_attempts_exceeded');
  });

  it('3.1: of ten right codes at once exactly one is valid', async () => {
    const { id, code } = await sendAndRead();
    const answers = await Promise.all(Array.from({ length: 10 }, () => customer.verify(id, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'otp_already_verified');
    }
  });

  it('4.1 rule 2: an unknown otp_id is 404, and so is that of another workspace', async () => {
    expectError(await customer.verify(unknownId, '123456'), 404, 'not_found');
    const stranger = await suite.customer();
    const { id, code } = await sendAndRead();
    expectError(await stranger.verify(id, code), 404, 'not_found');
    expect((await customer.verify(id, code)).json).toMatchObject({ valid: true, attempts_used: 1 });
  });

  it('decisions 10: an otp_id that is no UUID is 400', async () => {
    expectError(await customer.verify('nonsense', '123456'), 400, 'validation_error', 'otp_id');
  });

  it.each([
    ['otp_id', { code: '123456' }],
    ['otp_id', { otp_id: 1, code: '123456' }],
    ['code', { otp_id: unknownId }],
    ['code', { otp_id: unknownId, code: 123456 }],
    ['code', { otp_id: unknownId, code: null }],
  ])('2.3: %s is required and a string', async (field, body) => {
    expectError(await customer.post('/v1/otp/verify', body), 400, 'validation_error', field);
  });

  it('reliability: verify at once after the send is never 404', async () => {
    const { json } = await customer.sendOtp();
    const answer = await customer.verify(json.id, 'not it');
    expect([200, 400]).toContain(answer.status);
  });
});

describe('test mode', () => {
  const test = () => ({ key: customer.testKey });
  const sendTest = async (phone_number: string, body = {}) => {
    const answer = await customer.sendOtp({ phone_number, ...body }, test());
    expect(answer.status).toBe(200);
    return answer.json;
  };

  it.each([4, 5, 6, 7, 8])('decisions 12: a code of %d digits is known', async (length) => {
    const { id } = await sendTest(freshNumber(), { code_length: length });
    const answer = await customer.verify(id, '12345678'.slice(0, length), test());
    expect(answer.json).toMatchObject({ valid: true, status: 'verified' });
    expect((await customer.getOtp(id, test())).json.test_mode).toBe(true);
  });

  it('decisions 12: any other number is delivered after one second', async () => {
    const { id, created_at } = await sendTest(freshNumber());
    const { delivered_at } = await customer.otpWith('delivered', id, { key: customer.testKey });
    const tookMs = Date.parse(delivered_at) - Date.parse(created_at);
    expect(tookMs).toBeGreaterThanOrEqual(950);
    expect(tookMs).toBeLessThan(15_000);
  });

  it('decisions 12: 00 is delivered at once, 03 stays sent', async () => {
    const silent = await sendTest(magicNumber(3));
    const quick = await sendTest(magicNumber(0));
    await customer.otpWith('delivered', quick.id, { key: customer.testKey });
    await customer.otpWith('sent', silent.id, { key: customer.testKey });
  });

  const failures = [
    [10, 'unknown_subscriber'],
    [11, 'absent_subscriber'],
    [12, 'handset_error'],
    [13, 'subscriber_barred'],
    [14, 'content_rejected'],
    [15, 'sender_id_rejected'],
    [16, 'no_route'],
    [17, 'network_error'],
    [18, 'carrier_rejected'],
    [19, 'expired'],
    [20, 'opted_out'],
    [21, 'dnd_active'],
    [22, 'unsupported_number'],
    [23, 'unknown_error'],
    [24, 'fraud_blocked'],
    [25, 'invalid_number'],
    [26, 'message_invalid'],
    [27, 'provider_rejected'],
    [28, 'provider_unavailable'],
    [29, 'provider_timeout'],
    [30, 'dnd_active'],
    [31, 'sender_id_rejected'],
    [39, 'throttled'],
    [57, 'all_providers_failed'],
  ] as const;
  const deliveries = [50, 51, 53, 54, 55, 56, 90];
  const magic = new Map<number, string>();

  // Some take seconds: all are under way while the first is looked at.
  beforeAll(async () => {
    const all = [...failures.map(([digits]) => digits), ...deliveries];
    await Promise.all(
      all.map(async (digits) => magic.set(digits, (await sendTest(magicNumber(digits))).id)),
    );
  });

  it.each(failures)('domain 8.3: %d fails with %s, refunded as live', async (digits, reason) => {
    const key = customer.testKey;
    const record = await customer.otpWith('failed', magic.get(digits)!, { key });
    expect(record).toMatchObject({ reason, refunded: true, test_mode: true });
    expect(record.failed_at).toMatch(instant);
    expect(record.timeline.at(-1)).toMatchObject({ status: 'failed', reason, refunded: true });
  });

  it.each(deliveries)('domain 8.3: %d is delivered in the end', async (digits) => {
    await customer.otpWith('delivered', magic.get(digits)!, { key: customer.testKey });
  });

  it('domain 8.3: 60 has a random code', async () => {
    const { id } = await sendTest(magicNumber(60), { code_length: 8 });
    expect((await customer.verify(id, '12345678', test())).json.valid).toBe(false);
  });

  it('decisions 16: 61 is delivered and expires at once, not refunded', async () => {
    const { id } = await sendTest(magicNumber(61));
    const record = await customer.otpWith('expired', id, { key: customer.testKey });
    expect(record).not.toHaveProperty('refunded', true);
    expectError(await customer.verify(id, '123456', test()), 409, 'otp_expired');
  });

  it('domain 8.3: 62 has an attempt budget of one', async () => {
    const { id } = await sendTest(magicNumber(62));
    expect((await customer.getOtp(id, test())).json.max_attempts).toBe(1);
    expect((await customer.verify(id, '999999', test())).json).toEqual({
      valid: false,
      status: 'failed',
      attempts_used: 1,
      attempts_remaining: 0,
    });
  });

  it.each([
    [32, 400, 'validation_error'],
    [33, 402, 'insufficient_credits'],
    [34, 403, 'country_not_enabled'],
    [35, 403, 'prefix_blocked'],
    [36, 429, 'rate_limited'],
    [37, 500, 'internal_error'],
  ])('domain 8.3: %d is answered %d %s', async (digits, status, type) => {
    const answer = await customer.sendOtp({ phone_number: magicNumber(digits) }, test());
    expectError(answer, status, type);
    if (status === 429) expect(answer.headers['retry-after']).toBe('1');
  });

  it.each(['+12025550100', '+447700900000'])(
    'decisions 12: a live key is refused the fictional %s',
    async (phone_number) => {
      const answer = await customer.sendOtp({ phone_number });
      expectError(answer, 400, 'validation_error', 'phone_number');
      const inTest = await customer.sendOtp({ phone_number }, test());
      expect(inTest.status).toBe(200);
    },
  );
});
