/**
 * Issue 4 section 1 item 5: a revoked key is refused on the very next request on every gateway. What else
 * gateways keep in memory changes on all of them at once, too.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, Suite } from '../support/suite.js';
import { SplitSystem } from './split-system.js';

const suite = new Suite();
let system: SplitSystem;
let gateways: HttpClient[];
let customer: Customer;

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
  gateways = system.gateways();
  customer = await suite.customer();
});

afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await system.close();
});

const authorization = () => `Bearer ${system.credentials.operator_token}`;
const read = async (gateway: HttpClient, key: string) =>
  (await gateway.get('/v1/balance', { key })).status;

/** Known in the memory of every gateway. */
async function knownKey() {
  const { key, keyId } = await customer.newKey();
  for (const gateway of gateways) expect(await read(gateway, key)).toBe(200);
  return { key, keyId };
}

async function revoke(gateway: HttpClient, keyId: string): Promise<number> {
  const startedAt = performance.now();
  const path = `/operator/v1/keys/${keyId}`;
  const { status } = await gateway.delete(path, { headers: { authorization: authorization() } });
  expect(status).toBe(204);
  return performance.now() - startedAt;
}

describe('a revoked key', () => {
  it('a revoked key is refused by both gateways as soon as the revocation is answered, in 40 of 40 runs', async () => {
    for (let run = 0; run < 40; run += 1) {
      const { key, keyId } = await knownKey();
      await revoke(gateways[run % gateways.length] as HttpClient, keyId);
      const statuses = await Promise.all(gateways.map((gateway) => read(gateway, key)));
      expect(statuses).toEqual(gateways.map(() => 401));
    }
  });
});

describe('settings', () => {
  it('of a workspace and of the installation are in force on both when they are answered', async () => {
    const [one, two] = gateways as [HttpClient, HttpClient];
    const headers = { authorization: authorization() };
    for (let run = 1; run <= 10; run += 1) {
      const settings = { limits: { key_per_minute: 1_000 + run } };
      await one.patch(`/operator/v1/workspaces/${customer.id}`, { settings }, { headers });
      const limits = { ip_unauthenticated_per_minute: null, ip_authenticated_per_minute: null };
      const platform = { ...limits, ip_unauthenticated_per_minute: 10_000 + run };
      await one.patch('/operator/v1/settings', { limits: platform }, { headers });
      expect((await two.get('/operator/v1/settings', { headers })).json.limits).toEqual(platform);
      const { headers: answered } = await two.get('/v1/balance', { key: customer.liveKey });
      expect(Number(answered['x-ratelimit-remaining'])).toBeGreaterThan(900);
      await one.patch('/operator/v1/settings', { limits }, { headers });
    }
  });
});

describe('the price list', () => {
  it('the price list is shown by both gateways and charged for sends by both once its change is answered', async () => {
    const [one, two] = gateways as [HttpClient, HttpClient];
    const headers = { authorization: authorization() };
    const { json: before } = await one.get('/operator/v1/prices', { headers });
    const put = async (gateway: HttpClient, list: unknown) => {
      const { status } = await gateway.put('/operator/v1/prices', list, { headers });
      expect(status).toBe(200);
    };
    const sendTo = (gateway: HttpClient) =>
      gateway.post('/v1/otp/send', { phone_number: freshNumber('IS') }, { key: customer.liveKey });
    try {
      for (let run = 0; run < 6; run += 1) {
        const credits = 20 + run;
        const IS = { credits, listed: false, networks: [] };
        await put(run % 2 === 0 ? one : two, {
          ...before,
          countries: { ...before.countries, IS },
        });
        const lists = await Promise.all(gateways.map((gateway) => gateway.get('/v1/pricing')));
        expect(lists[1]?.text).toBe(lists[0]?.text);
        expect(lists[1]?.headers['etag']).toBe(lists[0]?.headers['etag']);
        const shown = lists[0]?.json.countries as { country_code: string; credits: number }[];
        expect(shown.find(({ country_code: code }) => code === 'IS')?.credits).toBe(credits);
        const sends = await Promise.all([one, two, one, two].map(sendTo));
        expect(sends.map(({ json }) => json.credit_cost)).toEqual(sends.map(() => credits));
      }
    } finally {
      await put(one, before);
    }
  });
});
