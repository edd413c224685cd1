/**
 * OpenAPI: every example of the document is sent as it is, and succeeds as documented; every route refuses as
 * documented whom it does not know and who comes too often.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTED_ROUTES, type Route } from '@watchword/contracts';
import { undocumented } from '../support/documented-answer.js';
import { type SessionHeaders, signUp } from '../support/session.js';
import { type Customer, unknownId, useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';

/** Examples change prices and limits of the platform. */
const suite = useSystem(startOwnSystem);
let customer: Customer;
let session: SessionHeaders;
let otpId: string;

beforeAll(async () => {
  customer = await suite.customer({});
  const key = customer.testKey;
  otpId = (await customer.sendOtp({ phone_number: '+2348031234567' }, { key })).json.id;
  await customer.otpWith('delivered', otpId, { key });
  const person = { email: 'owner@example.com', password: 'correct horse battery' };
  session = await signUp(suite.http, person);
  const webhook = { url: 'https://example.com/hooks' };
  const headers = { ...session };
  await suite.http.put('/dashboard/webhook', webhook, { headers });
  await suite.operator.request('PUT', `/workspaces/${customer.id}/webhook`, webhook);
});

/** Nothing is held against a prefix here. */
const lastly = (path: string) => Number(path === '/auth/logout');
const examples = DOCUMENTED_ROUTES.filter(({ path }) => !path.includes(':prefix')).toSorted(
  // Nothing of the session works after its end.
  (one, other) => lastly(one.path) - lastly(other.path),
);
const named = examples.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]);

describe('examples', () => {
  it.each(named as [string, Route][])('14: %s', async (_, route) => {
    const path = route.path
      .replace(':id/recover/:recovery_id', ':id')
      .replace(':id', await idFor(route));
    const answer = await suite.http.request(route.method.toUpperCase(), path, {
      headers: headersFor(route),
      body: bodyFor(route),
    });
    expect(answer.text === '' ? answer.status : answer).toEqual(
      answer.text === ''
        ? (route.status ?? 200)
        : expect.objectContaining({ status: route.status ?? 200 }),
    );
    expect(undocumented(route, answer)).toBeUndefined();
  });
});

const call = (route: Route, headers: Record<string, string>) =>
  suite.http.request(route.method.toUpperCase(), route.path.replace(/:\w+/, unknownId), {
    headers,
    body: route.example,
  });
const closed = DOCUMENTED_ROUTES.filter(({ access }) => access !== 'anybody');

describe('refusals', () => {
  it.each(closed)('8: $method $path without a credential', async (route) => {
    const answer = await call(route, {});
    // Strangers at the operator's door are counted, so that only the first ones are 401.
    expect(route.access === 'operator' ? [401, 429] : [401]).toContain(answer.status);
    expect(undocumented(route, answer)).toBeUndefined();
  });

  it('8: every route of a key that came too often', async () => {
    const { liveKey } = await suite.customer({ settings: { limits: { key_per_minute: 1 } } });
    const headers = { authorization: `Bearer ${liveKey}` };
    await suite.http.get('/v1/balance', { headers });
    for (const route of DOCUMENTED_ROUTES.filter(({ access }) => access === 'key')) {
      const answer = await call(route, headers);
      expect([route.path, answer.status]).toEqual([route.path, 429]);
      expect([route.path, undocumented(route, answer)]).toEqual([route.path, undefined]);
    }
  });
});

function headersFor({ access }: Route): Record<string, string> {
  if (access === 'key') return { authorization: `Bearer ${customer.testKey}` };
  if (access === 'session') return { ...session };
  if (access === 'anybody') return {};
  return { authorization: `Bearer ${suite.system.credentials.operator_token}` };
}

function bodyFor({ path, example }: Route): unknown {
  if (path.endsWith('/recover')) return { since: new Date().toISOString() };
  return path === '/v1/otp/verify' ? { ...(example as object), otp_id: otpId } : example;
}

/** An id of the kind that the route names, as text for its path. */
async function webhookIdFor(path: string): Promise<string> {
  const send = { key: customer.testKey };
  const body = { url: 'https://example.com/hooks', events: ['*'] };
  const webhook = (await customer.post('/v1/webhooks', body, send)).json.id as string;
  const own = `/v1/webhooks/${webhook}`;
  if (path.startsWith('/v1/webhook-deliveries/')) {
    return (await customer.post(`${own}/test`, {}, send)).json.id as string;
  }
  if (!path.includes(':recovery_id')) return webhook;
  const since = new Date().toISOString();
  const { id } = (await customer.post(`${own}/recover`, { since }, send)).json;
  return `${webhook}/recover/${id}`;
}

async function idFor({ path, method }: Route): Promise<string> {
  if (path.startsWith('/v1/otp/')) {
    const key = customer.testKey;
    const id = (await customer.sendOtp({}, { key })).json.id as string;
    await customer.otpWith('delivered', id, { key });
    return id;
  }
  if (path.startsWith('/v1/sms/')) {
    return (await customer.sendSms({}, { key: customer.testKey })).json.id as string;
  }
  if (method === 'DELETE' && path.startsWith('/dashboard/keys')) {
    const body = { mode: 'test' };
    const answer = await suite.http.post('/dashboard/keys', body, { headers: { ...session } });
    return answer.json.key_id as string;
  }
  if (path.startsWith('/v1/webhook')) return webhookIdFor(path);
  if (path === '/operator/v1/keys/:id') return (await customer.newKey('test')).keyId;
  return customer.id;
}
