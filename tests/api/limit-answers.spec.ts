/** Interface 8, decisions 6: limits as a customer meets them, countries, and what a 429 says. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer();
});

const limited = (limits: Record<string, number | null>) => suite.customer({ settings: { limits } });

/** Creates a customer with the default limits. */
async function plain(options: Record<string, unknown> = {}): Promise<Customer> {
  return new Customer(suite, await suite.operator.createWorkspace(options));
}

/** Routes by the type of their 429, each as a call that a key makes. */
const routesOf = {
  rate_limited: [
    ['GET', `/v1/otp/${unknownId}`],
    ['POST', '/v1/otp/send'],
    ['POST', '/v1/otp/verify'],
    ['POST', `/v1/otp/${unknownId}/resend`],
    ['POST', `/v1/otp/${unknownId}/cancel`],
    ['POST', '/v1/sms/send'],
    ['GET', `/v1/sms/${unknownId}`],
  ],
  rate_limit_exceeded: [
    ['GET', '/v1/sms'],
    ['GET', '/v1/balance'],
    ['GET', '/v1/ledger'],
    ['GET', '/v1/events'],
    ['POST', '/v1/quote'],
  ],
} as const;

/** Every route of the type refuses a key that has no call left. */
async function expectType(type: keyof typeof routesOf): Promise<void> {
  const { liveKey: key } = await spent();
  for (const [method, path] of routesOf[type]) {
    const body = method === 'POST' ? {} : undefined;
    const answer = await suite.http.request(method, path, { key, body });
    expectError(answer, 429, type);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
}

async function spent(): Promise<Customer> {
  const made = await limited({ key_per_minute: 1 });
  await made.getOtp(unknownId);
  return made;
}

describe('a 429', () => {
  it('7, decisions 6: type of a 429 is rate_limited on the routes of variant A, else rate_limit_exceeded', async () => {
    await expectType('rate_limited');
    await expectType('rate_limit_exceeded');
  });

  it('decisions 10: retry_after_seconds is in the body of every 429', async () => {
    const number = { phone_number: freshNumber() };
    for (const _ of [1, 2, 3]) await customer.sendOtp(number);
    const key = customer.testKey;
    const by = await spent();
    const answers = [
      await customer.sendOtp(number),
      await customer.sendOtp({ phone_number: magicNumber(36) }, { key }),
      await by.sendOtp(),
      await by.get('/v1/balance'),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(429);
      expect(json.error.retry_after_seconds).toBe(Number(headers['retry-after']));
    }
  });
});

describe('the fixed limits', () => {
  it('8: phone number is + and 8 to 15 digits', async () => {
    expect((await customer.sendSms({ phone_number: '+29051235' })).status).toBe(200);
    for (const phone_number of ['+2905123', '+2348031234567890', '29051235', '+29051235x']) {
      expectError(await customer.sendSms({ phone_number }), 400, 'phone_invalid', 'phone_number');
    }
  });
});

describe('what is left', () => {
  it('8 rule 3: X-RateLimit-Remaining is the smaller of key and workspace', async () => {
    const left = async (by: Customer, key = by.liveKey) =>
      (await by.get('/v1/balance', { key })).headers['x-ratelimit-remaining'];
    const byKey = await limited({ key_per_minute: 10, workspace_per_minute: 50 });
    expect([await left(byKey), await left(byKey)]).toEqual(['9', '8']);
    const byWorkspace = await limited({ key_per_minute: 10, workspace_per_minute: 3 });
    const { key } = await byWorkspace.newKey();
    expect([await left(byWorkspace), await left(byWorkspace, key)]).toEqual(['2', '1']);
  });

  it('decisions 6: defaults: 600 a minute per key, 1200 per workspace, settable', async () => {
    const by = await plain();
    const { json } = await suite.operator.request('GET', `/workspaces/${by.id}`);
    expect(json.settings.limits).toMatchObject({
      key_per_minute: 600,
      workspace_per_minute: 1_200,
      otp_sends_per_number_per_10_minutes: 3,
      otp_verifications_per_number_per_10_minutes: 10,
      sms_per_number_per_minute: 10,
      otp_sends_per_prefix_per_hour: 300,
    });
    expect((await by.sendOtp()).headers['x-ratelimit-remaining']).toBe('599');
    await by.settings({ limits: { key_per_minute: 2 } });
    expect((await by.sendOtp()).headers['x-ratelimit-remaining']).toBe('0');
    expectError(await by.sendOtp(), 429, 'rate_limited');
  });

  it('decisions 6: X-RateLimit-Remaining is on every successful /v1 answer to a key', async () => {
    const by = await plain();
    for (const key of [by.liveKey, by.testKey]) {
      const number = freshNumber();
      const otp = await by.sendOtp({ phone_number: number }, { key });
      const sms = await by.sendSms({}, { key });
      await by.otpWith('delivered', otp.json.id, { key });
      const id = otp.json.id as string;
      const answers = [
        otp,
        sms,
        await by.verify(id, 'wrong', { key }),
        await by.getOtp(id, { key }),
        await by.getSms(sms.json.id, { key }),
        await by.post(`/v1/otp/${id}/resend`, undefined, { key }),
        await by.post(`/v1/otp/${id}/cancel`, undefined, { key }),
        await by.post('/v1/quote', { kind: 'otp', phone_number: number }, { key }),
      ];
      const paths = ['/v1/otp', '/v1/sms', '/v1/balance', '/v1/ledger', '/v1/events'];
      for (const path of paths) answers.push(await by.get(path, { key }));
      answers.push(await by.get('/v1/ledger', { key, headers: { accept: 'text/csv' } }));
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
      }
    }
  });
});

describe('countries', () => {
  const abroad = () => ({ phone_number: freshNumber('KE') });

  it('8 rule 4 list: a new workspace starts with its billing country', async () => {
    for (const billing_country of ['NG', 'KE']) {
      const { id } = await plain({ billing_country });
      const { json } = await suite.operator.request('GET', `/workspaces/${id}`);
      expect(json.settings.enabled_countries).toEqual([billing_country]);
    }
  });

  it('8 rule 4 logged: a send to a disabled country is logged and still sent', async () => {
    const by = await plain();
    const { status, json } = await by.sendOtp(abroad());
    expect(status).toBe(200);
    await by.otpWith('delivered', json.id);
    const quote = await by.post('/v1/quote', { kind: 'otp', ...abroad() });
    const gate = quote.json.gates.find((one: { gate: string }) => one.gate === 'country');
    expect(gate).toMatchObject({ verdict: 'warn', type: 'country_not_enabled' });
  });

  it('4.1, 7, 8 rule 4, decisions 6: a send to a country that is not enabled is 403 country_not_enabled where that is enforced', async () => {
    const by = await plain();
    await by.settings({ country_enforcement: 'enforce' });
    for (const answer of [await by.sendOtp(abroad()), await by.sendSms(abroad())]) {
      expectError(answer, 403, 'country_not_enabled');
    }
    expect(await by.balance()).toBe(1_000);
    expect((await by.sendOtp()).status).toBe(200);
  });
});
