/** The operator API: decisions 13, 15 and 16. */
import { describe, expect, it } from '@jest/globals';
import { expectError, instant, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
const call = (method: string, path: string, body?: unknown) =>
  suite.operator.request(method, path, body);

const defaultSettings = {
  default_language: 'en',
  sms_rewriting: true,
  anti_spam: 'off',
  country_enforcement: 'log',
  otp_max_attempts: 5,
  otp_text: {},
  otp_resend_max: 3,
  webotp_domain: null,
  android_app_hash: null,
  strict_otp: false,
  low_balance_threshold: null,
  limits: {
    key_per_minute: 600,
    workspace_per_minute: 1200,
    variant_b_per_second: 10,
    variant_b_burst: 20,
    otp_sends_per_number_per_10_minutes: 3,
    otp_verifications_per_number_per_10_minutes: 10,
    sms_per_number_per_minute: 10,
    otp_sends_per_prefix_per_hour: 300,
    stored_bytes_max: null,
  },
};

describe('workspaces', () => {
  it('decisions 13: POST answers 201 with the keys; credits are a bonus entry', async () => {
    const body = { name: 'Acme', credits: 25, billing_country: 'KE' };
    const answer = await call('POST', '/workspaces', body);
    expect(answer.status).toBe(201);
    expect(answer.json).toEqual({
      workspace_id: expect.stringMatching(uuidV7),
      name: 'Acme',
      billing_country: 'KE',
      balance: 25,
      settings: expect.objectContaining(defaultSettings),
      live_key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{32}$/),
      test_key: expect.stringMatching(/^svc_test_[0-9A-Za-z]{32}$/),
    });
    const ledger = await call('GET', `/workspaces/${answer.json.workspace_id}/ledger`);
    expect(ledger.json.data).toMatchObject([
      { kind: 'top_up', top_up_kind: 'bonus', credits: 25, balance_after: 25 },
    ]);
  });

  it('decisions 13: the list is paged by cursor, newest first', async () => {
    const made = [await suite.customer(), await suite.customer(), await suite.customer()];
    const seen: string[] = [];
    let cursor = '';
    do {
      const { status, json } = await call('GET', `/workspaces?limit=2${cursor}`);
      expect(status).toBe(200);
      expect(json.data.length).toBeLessThanOrEqual(2);
      seen.push(...json.data.map((each: { workspace_id: string }) => each.workspace_id));
      cursor = json.next_cursor ? `&cursor=${encodeURIComponent(json.next_cursor)}` : '';
    } while (cursor && !made.every(({ id }) => seen.includes(id)));
    const places = made.map(({ id }) => seen.indexOf(id));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => b - a)).toEqual(places);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('decisions 13: PATCH merges settings deeply', async () => {
    const { json } = await call('POST', '/workspaces', { name: 'Acme' });
    const patch = { name: 'New', settings: { limits: { key_per_minute: 7 }, otp_max_attempts: 3 } };
    const answer = await call('PATCH', `/workspaces/${json.workspace_id}`, patch);
    expect(answer.status).toBe(200);
    expect(answer.json.name).toBe('New');
    expect(answer.json.settings).toMatchObject({
      ...defaultSettings,
      otp_max_attempts: 3,
      limits: { ...defaultSettings.limits, key_per_minute: 7 },
    });
    const { json: read } = await call('GET', `/workspaces/${json.workspace_id}`);
    expect(read.settings).toEqual(answer.json.settings);
  });

  it.each([
    ['colour', { colour: 'red' }],
    ['limits.nothing', { limits: { nothing: 1 } }],
    ['default_language', { default_language: 'de' }],
    ['otp_max_attempts', { otp_max_attempts: 0 }],
    ['sms_rewriting', { sms_rewriting: 'yes' }],
    ['limits.key_per_minute', { limits: { key_per_minute: -1 } }],
    ['limits.key_per_minute', { limits: { key_per_minute: '5' } }],
    ['settings', JSON.parse('{"__proto__":{"default_language":"fr"}}')],
  ])('decisions 13: the setting %s in %j is refused by name', async (name, settings) => {
    const customer = await suite.customer();
    const answer = await customer.settings(settings);
    expectError(answer, 400, 'validation_error');
    expect(answer.json.error.field).toContain(name.split('.').at(-1));
    expectError(
      await call('POST', '/workspaces', { name: 'A', settings }),
      400,
      'validation_error',
    );
  });
});

describe('keys', () => {
  it('decisions 13: POST shows the key once, GET never', async () => {
    const customer = await suite.customer();
    const path = `/workspaces/${customer.id}/keys`;
    const made = await call('POST', path, { name: 'Shop', mode: 'test', permission: 'otp' });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      key_id: expect.stringMatching(uuidV7),
      key: expect.stringMatching(/^svc_test_[0-9A-Za-z]{32}$/),
      created_by: null,
      name: 'Shop',
      mode: 'test',
      permission: 'otp',
      last4: made.json.key.slice(-4),
      created_at: expect.stringMatching(instant),
    });
    const list = await call('GET', path);
    expect(list.status).toBe(200);
    expect(list.json.data).toHaveLength(3);
    expect(list.text).not.toContain(made.json.key);
    const { key: _, ...shown } = made.json;
    expect(list.json.data).toContainEqual(expect.objectContaining(shown));
  });
});

describe('settings and prices', () => {
  it.each([
    ['credit_price.amount', { credit_price: { amount: 1e300, currency: 'NGN' } }],
    ['default_credits', { default_credits: 1e18 }],
    ['countries.NG.credits', { countries: { NG: { credits: 1e18, listed: true, networks: [] } } }],
  ])('7: PUT /prices refuses a %s on which every send would be a 500', async (field, change) => {
    const { json } = await call('GET', '/prices');
    const answer = await call('PUT', '/prices', { ...json, ...change });
    expectError(answer, 400, 'validation_error', field);
  });
});
