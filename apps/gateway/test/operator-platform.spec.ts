import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type SenderRecord } from '@watchword/contracts';
import { demoSeed } from '../src/index.js';
import { OPERATOR_TOKEN, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

let workspace: WorkspaceKeys;

useGateway({}, undefined, {
  before: async ({ dispatch: { calls } }) => {
    calls.reviewSender = async ({ id }) => ({ verdict: 'changed', sender: approved(id) });
    calls.unsuppressAddress = async () => ({ verdict: 'deleted' });
  },
});

beforeAll(async () => {
  workspace = await gateway.newWorkspace();
});

/** Returns a sender ID of the workspace. */
function approved(id: string): SenderRecord {
  const { workspace_id } = workspace;
  const at = new Date().toISOString();
  return {
    ...{ id, workspace_id, sender_id: 'Acme', status: 'approved', reviews: [] },
    ...{ countries: ['NG'], registered_entity: 'Acme Ltd', registration_doc_url: null },
    ...{ use_case: 'Orders', sample_message: 'Hi', notes: null, rejection_reason: null },
    ...{ created_at: at, updated_at: at },
  };
}

const at = (rest = '') => `/workspaces/${workspace.workspace_id}${rest}`;

describe('the platform', () => {
  it('keeps its settings', async () => {
    const defaults = { ip_authenticated_per_minute: 1200, ip_unauthenticated_per_minute: 100 };
    const shared = { shared_sender_ids: [] };
    expect((await gateway.operator('GET', '/settings')).body).toEqual({
      limits: defaults,
      ...shared,
    });
    const patch = { limits: { ip_unauthenticated_per_minute: null } };
    const changed = await gateway.operator('PATCH', '/settings', patch);
    expect(changed.body).toEqual({
      limits: { ...defaults, ip_unauthenticated_per_minute: null },
      ...shared,
    });
    await gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: 7000 } });
    const { rows } = await gateway.database.pool.query('SELECT settings FROM platform_settings');
    expect(rows).toEqual([
      {
        settings: {
          limits: { ip_authenticated_per_minute: 7000, ip_unauthenticated_per_minute: null },
        },
      },
    ]);
    const bad = await gateway.operator('PATCH', '/settings', { limits: { ip: 1 } });
    expect([bad.status, bad.body.error.field]).toEqual([400, 'limits.ip']);
  });

  it('shows and replaces prices, at once in the public list of this process', async () => {
    const { body: list } = await gateway.operator('GET', '/prices');
    expect(Object.keys(list)).toEqual(['credit_price', 'default_credits', 'countries']);
    await gateway.get('/v1/pricing');
    const wanted = { ...list, countries: { GH: { credits: 1, listed: true, networks: [] } } };
    expect((await gateway.operator('PUT', '/prices', wanted)).body).toEqual(wanted);
    const pricing = await gateway.get('/v1/pricing');
    expect(pricing.body.countries[0]).toMatchObject({ country_code: 'GH', credits: 1 });
  });

  it.each([
    ['no price', { default_credits: 1, countries: {} }, 'credit_price'],
    [
      'an unknown country',
      {
        credit_price: { amount: 1, currency: 'NGN' },
        default_credits: 1,
        countries: { QQ: { credits: 1, listed: true, networks: [] } },
      },
      'countries.QQ',
    ],
    [
      'an odd currency',
      { credit_price: { amount: 1, currency: 'naira' }, default_credits: 1, countries: {} },
      'credit_price.currency',
    ],
    [
      'negative credits',
      {
        credit_price: { amount: 1, currency: 'NGN' },
        default_credits: 1,
        countries: { NG: { credits: -1, listed: true, networks: [] } },
      },
      'countries.NG.credits',
    ],
    [
      'more credits than a sum can hold',
      { credit_price: { amount: 1, currency: 'NGN' }, default_credits: 1e15, countries: {} },
      'default_credits',
    ],
    [
      'a credit that costs more than a sum can hold',
      { credit_price: { amount: 1e15, currency: 'NGN' }, default_credits: 1, countries: {} },
      'credit_price.amount',
    ],
  ])('refuses a price list with %s', async (_name, list, field) => {
    const { status, body } = await gateway.operator('PUT', '/prices', list);
    expect([status, body.error.field]).toEqual([400, field]);
  });
});

describe('the audit', () => {
  it('has every call with its effect, and no secret', async () => {
    const { headers } = await gateway.operator('POST', at('/top-ups'), {
      credits: 5,
      kind: 'bonus',
    });
    const refused = await gateway.operator('POST', at('/top-ups'), { credits: 0, kind: 'bonus' });
    const { rows } = await gateway.database.pool.query<Record<string, unknown>>(
      'SELECT * FROM audit_records ORDER BY id',
    );
    const row = rows.find(({ request_id: id }) => id === headers['x-request-id']);
    expect(row).toMatchObject({
      method: 'POST',
      path: `/operator/v1/workspaces/${workspace.workspace_id}/top-ups`,
      status: 201,
      effect: { workspace_id: workspace.workspace_id, credits: 5, kind: 'bonus' },
    });
    expect(rows.at(-1)).toMatchObject({
      request_id: refused.headers['x-request-id'],
      status: 400,
      effect: { refused: 'validation_error' },
    });
    expect(JSON.stringify(rows)).not.toMatch(/svc_(?:live|test)_|whsec_/);
  });

  it('has calls whose body cannot be read', async () => {
    const call = (payload: string, type: string, token = OPERATOR_TOKEN) =>
      gateway.call({
        method: 'POST',
        url: `/operator/v1${at('/top-ups')}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload,
      });
    const answers = [
      await call('{"credits": ', 'application/json'),
      await call(JSON.stringify({ note: 'x'.repeat(1_100_000) }), 'application/json'),
      await call('credits=5', 'application/x-www-form-urlencoded'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 413, 415]);
    const stranger = await call('{', 'application/json', 'x'.repeat(40));
    const ids = [...answers, stranger].map(({ headers }) => headers['x-request-id']);
    const { rows } = await gateway.database.pool.query(
      `SELECT method, path, status, effect FROM audit_records WHERE request_id = ANY ($1::text[])
       ORDER BY id`,
      [ids],
    );
    const called = { method: 'POST', path: `/operator/v1${at('/top-ups')}` };
    const effect = { refused: 'validation_error' };
    expect(rows).toEqual([400, 413, 415].map((status) => ({ ...called, status, effect })));
  });

  it('of a workspace has the decisions about its sender IDs and suppressions', async () => {
    const { workspace_id } = workspace;
    const id = newId();
    const review = { countries: ['NG'], status: 'approved' };
    await gateway.operator('POST', `/sender-ids/${id}/reviews`, review);
    const address = 'ada@example.com';
    await gateway.operator('DELETE', `/workspaces/${workspace_id}/suppressions/${address}`);
    await gateway.operator('DELETE', `/platform-email/suppressions/${address}`);
    const masked = { address: 'a•••••@example.com' };
    const { rows: last } = await gateway.database.pool.query(
      'SELECT path, effect FROM audit_records ORDER BY id DESC LIMIT 1',
    );
    const ofPlatform = '/operator/v1/platform-email/suppressions/:address';
    expect(last).toEqual([{ path: ofPlatform, effect: masked }]);
    const { rows } = await gateway.database.pool.query(
      'SELECT path, effect FROM audit_records WHERE workspace_id = $1 ORDER BY id DESC LIMIT 2',
      [workspace_id],
    );
    expect(rows).toEqual([
      {
        path: `/operator/v1/workspaces/${workspace_id}/suppressions/:address`,
        effect: { workspace_id, ...masked },
      },
      {
        path: `/operator/v1/sender-ids/${id}/reviews`,
        effect: { ...review, workspace_id, sender_id: id },
      },
    ]);
  });
});

describe('announcements', () => {
  it('of a new and a changed workspace are in the outbox', async () => {
    await gateway.operator('PATCH', at(), { name: 'Changed' });
    const { rows } = await gateway.database.pool.query<{ payload: string }>(
      `SELECT payload FROM outbox WHERE topic = 'svc.account-events.v1' AND key = $1`,
      [workspace.workspace_id],
    );
    const types = rows.map(({ payload }) => JSON.parse(payload).type);
    expect(types.slice(0, 2)).toEqual(['workspace.created', 'workspace.updated']);
  });
});

describe('the demo workspace', () => {
  it('is there after any number of starts, with the keys that were drawn', async () => {
    const demo = demoSeed.draw();
    await demoSeed.ensure(demo, gateway.platform);
    await demoSeed.ensure(demo, gateway.platform);
    const { body } = await gateway.operator('GET', `/workspaces/${demo.workspaceId}`);
    expect(body).toMatchObject({ name: 'Demo', balance: 10_000, billing_country: 'NG' });
    const keys = await gateway.operator('GET', `/workspaces/${demo.workspaceId}/keys`);
    expect(keys.body.data).toHaveLength(2);
    const sent = await gateway.post('/v1/otp/send', demo.liveKey, {
      phone_number: '+2348031234567',
    });
    expect(sent.status).toBe(200);
  });
});
