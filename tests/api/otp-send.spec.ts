/** Interface 2.1 and 2.2: what a send of a one-time password takes, and what it answers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber, type NumberingPlan } from '../support/numbers.js';
import { type Customer, expectError, useSystem, uuidV7 } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 20_000 });
});

describe('an OTP send request', () => {
  it('2.1 phone_number: is a string in E.164 and required', async () => {
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

  it('2.1 code_length default: left out it is 6, and 0 is not left out', async () => {
    expect((await customer.sendOtp()).json.code_length).toBe(6);
    const zero = await customer.sendOtp({ code_length: 0 });
    expectError(zero, 400, 'validation_error', 'code_length');
  });

  it('2.1 ttl_seconds default: left out it is 600', async () => {
    const { json } = await customer.sendOtp();
    expect((await customer.getOtp(json.id)).json.ttl_seconds).toBe(600);
    const zero = await customer.sendOtp({ ttl_seconds: 0 });
    expectError(zero, 400, 'validation_error', 'ttl_seconds');
  });
});

describe('an OTP send response', () => {
  it('2.2 id: is a UUID, used with verify and get', async () => {
    const number = freshNumber();
    const { json } = await customer.sendOtp({ phone_number: number });
    expect(json.id).toMatch(uuidV7);
    expect((await customer.getOtp(json.id)).json.id).toBe(json.id);
    expect((await customer.verify(json.id, await suite.codeAt(number))).json.valid).toBe(true);
  });

  it('2.2 country_code: is ISO 3166-1 alpha-2, from the number', async () => {
    const countries = ['NG', 'KE', 'GH', 'ZA', 'GB', 'US', 'CI', 'BJ', 'IS', 'NO'] as const;
    for (const country of countries) {
      const { json } = await customer.sendOtp({ phone_number: freshNumber(country) });
      expect(json.country_code).toBe(country);
    }
    expect((await customer.sendOtp({ phone_number: '+14165550123' })).json.country_code).toBe('CA');
  });

  it('2.2 credit_cost: is an integer: the credits consumed', async () => {
    const payer = await suite.customer({ credits: 500 });
    const plans: NumberingPlan[] = ['NG', 'GH', 'NO'];
    let spent = 0;
    for (const plan of plans) {
      const { json } = await payer.sendOtp({ phone_number: freshNumber(plan) });
      spent += json.credit_cost;
      expect(Number.isInteger(json.credit_cost)).toBe(true);
      expect(await payer.balance()).toBe(500 - spent);
      expect((await payer.getOtp(json.id)).json.credit_cost).toBe(json.credit_cost);
    }
    expect(spent).toBe(5 + 30 + 120);
  });

  it('2.2 status: is always pending', async () => {
    const key = customer.testKey;
    for (const digits of [0, 10, 15, 16, 20, 25, 30, 31, 61]) {
      const { json } = await customer.sendOtp({ phone_number: magicNumber(digits) }, { key });
      expect(json.status).toBe('pending');
    }
  });

  it('2.2 code_length: is the number of digits in the code', async () => {
    for (const code_length of [4, 8]) {
      const number = freshNumber();
      const { json } = await customer.sendOtp({ phone_number: number, code_length });
      expect(json.code_length).toBe(code_length);
      expect(await suite.codeAt(number)).toMatch(new RegExp(`^\\d{${code_length}}$`));
    }
  });

  it('2.2 expires_at: is created_at and ttl_seconds; later nothing verifies', async () => {
    const { json } = await customer.sendOtp({ ttl_seconds: 90 });
    expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(90_000);
    const { id, code, expiresAtMs } = await customer.shortLivedOtp();
    await waitUntil('the expiry', () => Date.now() > expiresAtMs);
    expectError(await customer.verify(id, code), 409, 'otp_expired');
  });
});
