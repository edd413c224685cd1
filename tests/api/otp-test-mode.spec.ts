/** One-time passwords of test mode: decisions 12 and 16; domain 8.3. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { magicNumber, freshNumber } from '../support/numbers.js';
import { type Customer, expectError, instant, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

describe('a one-time password of test mode', () => {
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

  // Some take seconds, so all run while the first is checked.
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
