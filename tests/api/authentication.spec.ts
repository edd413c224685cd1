/** Interface 5 and decisions 2: keys, their permissions, and the routes they open. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { signUp } from '../support/session.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer({ credits: 2_000 });
});

type Call = readonly [method: string, path: string, body?: () => object];

const number = () => ({ phone_number: freshNumber() });
const otpRoutes: readonly Call[] = [
  ['POST', '/v1/otp/send', number],
  ['POST', '/v1/otp/verify', () => ({ otp_id: unknownId, code: '123456' })],
  ['GET', `/v1/otp/${unknownId}`],
  ['GET', '/v1/otp'],
  ['POST', `/v1/otp/${unknownId}/resend`],
  ['POST', `/v1/otp/${unknownId}/cancel`],
];
const otherRoutes: readonly Call[] = [
  ['POST', '/v1/sms/send', () => ({ ...number(), message: 'Hello' })],
  ['GET', `/v1/sms/${unknownId}`],
  ['GET', '/v1/sms'],
  ['GET', '/v1/balance'],
  ['GET', '/v1/ledger'],
  ['GET', '/v1/events'],
  ['POST', '/v1/quote', () => ({ kind: 'otp', ...number() })],
];
const routes = [...otpRoutes, ...otherRoutes];

const call = ([method, path, body]: Call, key?: string): Promise<Answer> =>
  suite.http.request(method, path, { ...(key ? { key } : {}), ...(body ? { body: body() } : {}) });

/** 200, or 404 for an unknown id: the route was open to the key. */
async function expectOpen(calls: readonly Call[], key: string): Promise<void> {
  for (const one of calls) {
    const { status } = await call(one, key);
    expect([...one.slice(0, 2), [200, 404].includes(status) || status]).toEqual([
      ...one.slice(0, 2),
      true,
    ]);
  }
}

async function expectForbidden(calls: readonly Call[], key: string): Promise<void> {
  for (const one of calls) expectError(await call(one, key), 403, 'permission_error');
}

describe('keys', () => {
  it('5 rule 1: every /v1 call but the price list needs a bearer key', async () => {
    for (const one of routes) {
      expectError(await call(one), 401, 'authentication_error');
      expectError(await call(one, 'svc_live_short'), 401, 'authentication_error');
    }
    for (const path of ['/v1/pricing', '/health']) {
      expect((await suite.http.get(path)).status).toBe(200);
      expect((await suite.http.get(path, { key: 'nonsense' })).status).toBe(200);
    }
  });

  it('5 rules 2 and 3, decisions 2: keys are svc_live_ or svc_test_ and 32 base62 characters', async () => {
    for (const mode of ['live', 'test'] as const) {
      const { key } = await customer.newKey(mode);
      expect(key).toMatch(new RegExp(`^svc_${mode}_[0-9A-Za-z]{32}$`));
    }
  });

  it('5 rule 4, decisions 2: the permission is full unless chosen, and opens everything', async () => {
    const path = `/workspaces/${customer.id}/keys`;
    const made = await suite.operator.request('POST', path, { mode: 'live' });
    expect([made.status, made.json.permission]).toEqual([201, 'full']);
    await expectOpen(routes, made.json.key);
  });

  it('5 rule 4, decisions 2, 10: a sending key opens none of variant A', async () => {
    await expectForbidden(routes, (await customer.newKey('live', 'sending')).key);
  });

  it('decisions 2: otp opens every /v1/otp route and no other', async () => {
    const { key } = await customer.newKey('live', 'otp');
    await expectOpen(otpRoutes, key);
    await expectForbidden(otherRoutes, key);
  });

  it('decisions 2: agent opens nothing under /v1', async () => {
    await expectForbidden(routes, (await customer.newKey('live', 'agent')).key);
  });
});

describe('the dashboard', () => {
  it('5, decisions 2: dashboard has every route that is named, for a session and no API key', async () => {
    const byKey = await suite.http.get('/dashboard/keys', { key: customer.liveKey });
    expectError(byKey, 401, 'authentication_error');
    const email = `${unknownId}-${Date.now()}@example.com`;
    const session = await signUp(suite.http, { email, password: 'correct horse battery' });
    const ask = (method: string, path: string, body?: object) =>
      suite.http.request(method, `/dashboard/${path}`, { headers: session, body });
    for (const path of ['workspace', 'keys', 'webhook/deliveries', 'members', 'messages']) {
      expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
    }
    for (const path of ['ledger', 'audit']) expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('PATCH', 'workspace', { name: 'Renamed' })).json.name).toBe('Renamed');
    const made = await ask('POST', 'keys', { mode: 'test' });
    expect([made.status, made.json.permission]).toEqual([201, 'full']);
    expect((await ask('DELETE', `keys/${made.json.key_id}`)).status).toBe(204);
    const receiver = await WebhookReceiver.start();
    const put = await ask('PUT', 'webhook', { url: receiver.url });
    expect(put.json.secret).toMatch(/^whsec_/);
    expect((await ask('GET', 'webhook')).status).toBe(200);
    expect((await ask('POST', 'webhook/rotate-secret')).json.secret).toMatch(/^whsec_/);
    expect((await ask('POST', 'webhook/test')).status).toBeLessThan(300);
    expect((await ask('DELETE', 'webhook')).status).toBe(204);
    await receiver.close();
    const invited = await ask('POST', 'members', { email: `m-${email}` });
    expect([200, 201]).toContain(invited.status);
  });
});
