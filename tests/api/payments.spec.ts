import { beforeAll, describe, expect, it } from '@jest/globals';
import { signUp, type SessionHeaders } from '../support/session.js';
import { useSystem } from '../support/suite.js';

const CREDITS = 1_000;
const PRICE = 100;

const suite = useSystem();
let owner: SessionHeaders;
let workspaceId: string;

beforeAll(async () => {
  const address = `payer-${Date.now()}@example.com`;
  owner = await signUp(suite.http, { email: address, password: 'staple battery horse' });
  const me = await suite.http.get('/auth/me', { headers: { ...owner } });
  workspaceId = me.json.workspace.workspace_id;
});

const ask = (method: 'get' | 'post' | 'put', path: string, body?: unknown, more = {}) => {
  const headers = { ...owner, ...more };
  return method === 'get'
    ? suite.http.get(path, { headers })
    : suite.http[method](path, body, { headers });
};
const create = (over: object = {}, more = {}) =>
  ask('post', '/dashboard/payments', { credits: CREDITS, provider: 'manual', ...over }, more);
const confirm = (id: string) => suite.operator.request('POST', `/payments/${id}/confirm`);
const purchased = async () =>
  (await suite.operator.request('GET', `/workspaces/${workspaceId}`)).json.purchased_credits;

describe('decisions 21: payments', () => {
  it('decisions 21: payments are created by owners, confirmed by an operator, and entered once', async () => {
    const before = await purchased();
    const created = await create();
    expect([created.status, created.json]).toEqual([
      201,
      {
        payment_id: expect.any(String),
        status: 'pending',
        amount: CREDITS * PRICE,
        currency: 'NGN',
        checkout_url: null,
      },
    ]);
    const id = created.json.payment_id as string;
    expect(await purchased()).toBe(before);
    const confirmed = await Promise.all(Array.from({ length: 5 }, () => confirm(id)));
    for (const { status, json } of confirmed) {
      expect([status, json.status]).toEqual([200, 'paid']);
    }
    expect(await purchased()).toBe(before + CREDITS);
    const ledger = await ask('get', '/dashboard/ledger?kind=top_up');
    expect(ledger.json.data[0]).toMatchObject({ top_up_kind: 'purchase', payment_id: id });
    const read = await ask('get', `/dashboard/payments/${id}`);
    expect(read.json).toMatchObject({ status: 'paid', provider: 'manual', automatic: false });
  });

  it('decisions 21: one key creates one payment', async () => {
    const key = { 'idempotency-key': `payment-${Date.now()}` };
    const first = await create({}, key);
    const second = await create({}, key);
    expect(second.json).toEqual(first.json);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const other = await create({ credits: 1 }, key);
    expect([other.status, other.json.error.type]).toEqual([409, 'idempotency_conflict']);
  });

  it('decisions 21: pages go on with a cursor', async () => {
    await create();
    await create();
    const first = await ask('get', '/dashboard/payments?limit=1');
    const second = await ask('get', `/dashboard/payments?limit=1&cursor=${first.json.next_cursor}`);
    expect(second.json.data[0].payment_id < first.json.data[0].payment_id).toBe(true);
    const foreign = await ask('get', '/dashboard/payments?cursor=abc');
    expect([foreign.status, foreign.json.error.field]).toEqual([400, 'cursor']);
  });

  it.each([
    ['credits', { credits: 0 }],
    ['credits', { credits: 50_000_001 }],
    ['provider', { provider: 'cash' }],
    ['provider', { provider: 'stripe' }],
    ['save_authorisation', { save_authorisation: true }],
  ])('decisions 21: %s of %j is refused', async (field, over) => {
    const { status, json } = await create(over);
    expect([status, json.error.type, json.error.field]).toEqual([400, 'validation_error', field]);
  });

  it('decisions 21: another workspace has no such payment', async () => {
    const { json } = await create();
    const email = `outsider-${Date.now()}@example.com`;
    const outsider = await signUp(suite.http, { email, password: 'staple battery horse' });
    const path = `/dashboard/payments/${json.payment_id}`;
    const answer = await suite.http.get(path, { headers: { ...outsider } });
    expect(answer.status).toBe(404);
    expect((await confirm('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  });

  it('decisions 24: a body names no other workspace', async () => {
    const { id: other } = await suite.customer();
    const over = { workspace_id: other, email: 'other@example.com' };
    expect((await create(over)).status).toBe(201);
    const found = await suite.operator.request('GET', `/payments?workspace_id=${other}`);
    expect(found.json.data).toEqual([]);
    const wish = { enabled: false, threshold: 7, credits: 7, monthly_cap_credits: 7 };
    await ask('put', '/dashboard/top-up', { ...wish, workspace_id: other });
    expect((await ask('get', '/dashboard/top-up')).json).toMatchObject(wish);
  });

  it('decisions 28: a sixth pending payment of a workspace is 409, and others go on', async () => {
    const email = `pending-${Date.now()}@example.com`;
    const other = await signUp(suite.http, { email, password: 'staple battery horse' });
    const make = (key?: string) =>
      suite.http.post(
        '/dashboard/payments',
        { credits: 1, provider: 'manual' },
        { headers: { ...other, ...(key !== undefined && { 'idempotency-key': key }) } },
      );
    const first = await make('first');
    for (let number = 2; number <= 5; number += 1) expect((await make()).status).toBe(201);
    const sixth = await make();
    expect([sixth.status, sixth.json.error.type]).toEqual([409, 'conflict']);
    expect((await make('first')).json).toEqual(first.json);
    expect((await confirm(first.json.payment_id)).status).toBe(200);
    expect((await make()).status).toBe(201);
  });

  it('decisions 28: deleting the saved authorisation answers 204 also where there is none', async () => {
    const path = '/dashboard/top-up/authorisation';
    const { status, text } = await suite.http.delete(path, { headers: { ...owner } });
    expect([status, text]).toEqual([204, '']);
  });

  it('decisions 21: a callback without a signature is refused before it is read', async () => {
    const forged = { event: 'charge.success', data: { reference: 'x' } };
    for (const provider of ['stripe', 'paystack', 'manual', 'nobody']) {
      const { status } = await suite.http.post(`/callbacks/payments/${provider}`, forged);
      expect([401, 404]).toContain(status);
    }
  });

  it('decisions 21: automatic top-up needs a saved authorisation and a cap above its amount', async () => {
    const wish = { enabled: true, threshold: 500, credits: CREDITS, monthly_cap_credits: 5_000 };
    const refused = await ask('put', '/dashboard/top-up', wish);
    expect([refused.status, refused.json.error.type]).toEqual([409, 'conflict']);
    const low = await ask('put', '/dashboard/top-up', { ...wish, monthly_cap_credits: 999 });
    expect([low.status, low.json.error.field]).toEqual([400, 'monthly_cap_credits']);
    const off = await ask('put', '/dashboard/top-up', { ...wish, enabled: false });
    expect([off.status, off.json]).toEqual([
      200,
      {
        ...wish,
        enabled: false,
        bought_this_month: 0,
        authorisation: null,
        disabled_reason: null,
      },
    ]);
    expect((await ask('get', '/dashboard/top-up')).json).toEqual(off.json);
  });
});
