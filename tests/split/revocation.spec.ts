/** A revoked key is refused, and a new price is charged, on the next request at every gateway. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { HttpClient } from '../support/http.js';
import { freshNumber } from '../support/numbers.js';
import { type Customer, Suite } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';
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

/** Returns a key that every gateway has accepted. */
async function acceptedKey() {
  const { key, keyId } = await customer.newKey();
  for (const gateway of gateways) expect(await read(gateway, key)).toBe(200);
  return { key, keyId };
}

async function revoke(gateway: HttpClient, keyId: string): Promise<void> {
  const path = `/operator/v1/keys/${keyId}`;
  const { status } = await gateway.delete(path, { headers: { authorization: authorization() } });
  expect(status).toBe(204);
}

it('a revoked key is refused by both gateways as soon as the revocation is answered, in 10 of 10 runs', async () => {
  for (let run = 0; run < 10; run += 1) {
    const { key, keyId } = await acceptedKey();
    await revoke(gateways[run % gateways.length] as HttpClient, keyId);
    const statuses = await Promise.all(gateways.map((gateway) => read(gateway, key)));
    expect(statuses).toEqual(gateways.map(() => 401));
  }
});

it('a revoked key is refused under load in each request that is sent after the answer', async () => {
  const { key, keyId } = await acceptedKey();
  let isRevoked = false;
  const late: number[] = [];
  let reads = 0;
  let going = true;
  const clients = gateways.flatMap((gateway) =>
    Array.from({ length: 8 }, async () => {
      while (going) {
        const isLate = isRevoked;
        const status = await read(gateway, key);
        reads += 1;
        if (isLate) late.push(status);
      }
    }),
  );
  await waitUntil('some load', () => reads >= 100);
  await revoke(gateways[0] as HttpClient, keyId);
  isRevoked = true;
  await waitUntil('late requests', () => late.length >= 100);
  going = false;
  await Promise.all(clients);
  expect(late.filter((status) => status !== 401)).toEqual([]);
});

it('a new price is charged by both gateways once its change is answered', async () => {
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
      const sends = await Promise.all([one, two, one, two].map(sendTo));
      expect(sends.map(({ json }) => json.credit_cost)).toEqual(sends.map(() => credits));
    }
  } finally {
    await put(one, before);
  }
});
