/** Domains and suppressed email addresses: decisions 4, 17, 20, 26; domain/sms.md 4.1, 4.6. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Customer, expectError, useSystem, uuidV7 } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 100, settings: { limits } });
});

describe('/v1/domains', () => {
  const create = (name: unknown, more = {}) => customer.post('/v1/domains', { name }, more);

  it('decisions 20: /v1/domains creates, lists, shows, verifies and deletes a domain', async () => {
    const { status, json } = await create('Mail.Example.com');
    expect(status).toBe(201);
    expect(json).toMatchObject({
      id: expect.stringMatching(uuidV7),
      project_id: customer.id,
      name: 'mail.example.com',
      status: 'pending',
      verified_at: null,
      last_checked_at: null,
    });
    expect(json.records[0]).toMatchObject({ purpose: 'DKIM', type: 'TXT', required: true });
    const path = `/v1/domains/${json.id}`;
    expect((await customer.get(path)).json).toEqual(json);
    expect((await customer.get('/v1/domains')).json.data).toContainEqual(json);
    expect((await customer.get('/v1/domains', { key: customer.testKey })).json.data).toEqual([
      json,
    ]);
    const verified = await customer.post(`${path}/verify`, {});
    expect(verified.status).toBe(200);
    expect(verified.json).toMatchObject({ status: 'pending' });
    expectError(await create('mail.example.com'), 409, 'conflict', 'name');
    const other = await suite.customer({});
    expectError(await other.get(path), 404, 'not_found');
    expect((await suite.http.delete(path, { key: customer.liveKey })).status).toBe(204);
    expectError(await customer.get(path), 404, 'not_found');
  });

  it.each(['localhost', '', 'a_b.example', 'x@y.example', '1.2.3.4', 'sim.test', 'a.sim.test', 5])(
    '/v1/domains refuses the name %j',
    async (name) => {
      expectError(await create(name), 400, 'validation_error', 'name');
    },
  );
});

describe('/v1/suppressions', () => {
  const create = (address: unknown, more = {}) =>
    customer.post('/v1/suppressions', { address }, more);
  const remove = (address: string, query = '') =>
    suite.http.delete(`/v1/suppressions/${encodeURIComponent(address)}${query}`, {
      key: customer.liveKey,
    });

  it('decisions 20: /v1/suppressions creates, lists and deletes a suppression', async () => {
    const first = await create('Ada@Example.com');
    expect(first.status).toBe(201);
    expect(first.json).toEqual({
      address: 'ada@example.com',
      channel: 'email',
      origin: 'manual',
      scope: 'all',
      created_at: expect.any(String),
    });
    const again = await create('ada@example.com');
    expect(again.status).toBe(200);
    expect(again.json).toEqual(first.json);
    const all = await customer.get('/v1/suppressions');
    expect(all.json.data).toContainEqual(first.json);
    expect((await customer.get('/v1/suppressions?channel=sms')).json.data).toEqual([]);
    expectError(await remove('ada@example.com', '?channel=sms'), 404, 'not_found');
    const ofSender = await remove('ada@example.com', '?sender_id=Acme');
    expectError(ofSender, 400, 'validation_error', 'sender_id');
    expect((await remove('ADA@example.com')).status).toBe(204);
    expectError(await remove('ada@example.com'), 404, 'not_found');
  });

  it('decisions 20: /v1/suppressions is listed page by page', async () => {
    for (const local of ['p1', 'p2', 'p3']) await create(`${local}@example.com`);
    const first = await customer.get('/v1/suppressions?channel=email&limit=2');
    const next = encodeURIComponent(first.json.next_cursor);
    const second = await customer.get(`/v1/suppressions?channel=email&limit=2&cursor=${next}`);
    const shown = [...first.json.data, ...second.json.data].map(({ address }) => address);
    expect(shown.slice(0, 3)).toEqual(['p3@example.com', 'p2@example.com', 'p1@example.com']);
  });
});
