import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DestinationFinding, newId } from '@watchword/contracts';
import { type Answer, openGateway, type TestGateway } from './gateway.kit.js';
import { newOwner } from './person.kit.js';

let gateway: TestGateway;

let finding: DestinationFinding['sender'] = 'unregistered';

beforeAll(async () => {
  gateway = await openGateway({ TRUSTED_PROXIES: '1' }, undefined, {
    before: async ({ dispatch }) => {
      dispatch.calls.judgeDestinations = async () => ({
        findings: [{ sender: finding, refusal: null, network: null }],
      });
    },
  });
});
afterAll(() => gateway.close());

const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.field];

describe('a suspended workspace', () => {
  const patch = (id: string, body: object) => gateway.operator('PATCH', `/workspaces/${id}`, body);

  it('decisions 22: keys of a suspended workspace are refused at once on every gateway, until the suspension is lifted', async () => {
    const other = await openGateway({}, gateway.database);
    const { workspace_id: id, live_key, test_key } = await gateway.newWorkspace();
    const bystander = await gateway.newWorkspace();
    const look = (edge: TestGateway, key: string) => edge.get('/v1/ledger', key);
    expect((await look(other, live_key)).status).toBe(200);
    const suspended = await patch(id, { suspended: true, reason: 'Fraud report 7' });
    expect([suspended.status, suspended.body.suspended]).toEqual([200, true]);
    for (const edge of [gateway, other]) {
      for (const key of [live_key, test_key]) {
        expect(errorOf(await look(edge, key))).toEqual([403, 'permission_error', undefined]);
      }
      expect((await look(edge, bystander.live_key)).status).toBe(200);
      expect((await edge.get('/v1/pricing', live_key)).status).toBe(200);
    }
    const lifted = await patch(id, { suspended: false, reason: 'Cleared' });
    expect(lifted.body).not.toHaveProperty('suspended');
    for (const edge of [gateway, other]) expect((await look(edge, live_key)).status).toBe(200);
    await other.app.close();
  });
});

describe('GET /operator/v1/audit', () => {
  it('decisions 22: pages through every call, newest first, with its actor and workspace', async () => {
    const owner = await newOwner(gateway);
    await gateway.operator('PATCH', `/workspaces/${owner.workspaceId}`, { name: 'Renamed' });
    const path = `/audit?limit=1&workspace_id=${owner.workspaceId}`;
    const first = await gateway.operator('GET', path);
    expect(first.body.data).toMatchObject([
      { actor: { type: 'operator' }, method: 'PATCH', workspace_id: owner.workspaceId },
    ]);
    expect(first.body.data[0].client_ip).not.toBeNull();
    const second = await gateway.operator('GET', `${path}&cursor=${first.body.next_cursor}`);
    expect(second.body.data).toMatchObject([
      { actor: { type: 'user', email: owner.email }, path: '/auth/signup', client_ip: owner.ip },
    ]);
    const all = await gateway.operator('GET', '/audit');
    expect(all.body.data.length).toBeGreaterThan(2);
    expect(errorOf(await gateway.operator('GET', '/audit?cursor=x'))).toEqual([
      400,
      'validation_error',
      'cursor',
    ]);
  });
});

describe('protected sender IDs', () => {
  const send = (key: string, sender_id: string) =>
    gateway.post('/v1/sms/send', key, {
      phone_number: '+2348031234567',
      message: 'Your statement is ready.',
      sender_id,
    });

  it('decisions 24: protected sender IDs are refused to live SMS in every spelling, and free in test mode', async () => {
    const { live_key, test_key } = await gateway.newWorkspace({ country_enforcement: 'off' });
    for (const name of ['GTBank', 'gtbank', 'G.T Bank', 'gt-bank']) {
      expect(errorOf(await send(live_key, name))).toEqual([400, 'sender_id_invalid', 'sender_id']);
    }
    expect((await send(live_key, 'Engines')).status).toBe(200);
    expect((await send(test_key, 'GTBank')).status).toBe(200);
    finding = 'usable';
    expect((await send(live_key, 'GTBank')).status).toBe(200);
    finding = 'unregistered';
  });

  it('decisions 24: an operator replaces the protected sender IDs, at once on every gateway', async () => {
    const { live_key } = await gateway.newWorkspace();
    const before = await gateway.operator('GET', '/protected-sender-ids');
    expect(before.body.sender_ids).toContain('MTN');
    const put = await gateway.operator('PUT', '/protected-sender-ids', { sender_ids: ['Engines'] });
    expect([put.status, put.body]).toEqual([200, { sender_ids: ['Engines'] }]);
    expect((await gateway.operator('GET', '/protected-sender-ids')).body).toEqual(put.body);
    expect((await send(live_key, 'ENGINES')).status).toBe(400);
    expect((await send(live_key, 'MTN')).status).toBe(200);
    const bad = await gateway.operator('PUT', '/protected-sender-ids', { sender_ids: [''] });
    expect(bad.status).toBe(400);
  });
});

describe('the ledger', () => {
  it('decisions 24: a test key can read the ledger and the balance', async () => {
    const { live_key, test_key } = await gateway.newWorkspace();
    for (const path of ['/v1/balance', '/v1/ledger']) {
      const [live, test] = [await gateway.get(path, live_key), await gateway.get(path, test_key)];
      expect(test.status).toBe(200);
      expect(test.body).toEqual(live.body);
    }
  });

  it('decisions 24: as CSV gives spreadsheets no formula', async () => {
    const { live_key } = await gateway.newWorkspace();
    const notes = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'plain = text', 'Thanks, "Ada"'];
    for (const note of notes) {
      gateway.billing.entries.unshift({
        id: newId(),
        kind: 'top_up',
        top_up_kind: 'adjustment',
        credits: -5,
        balance_after: 995,
        note,
        created_at: '2026-01-05T09:00:00.000Z',
      });
    }
    const { text } = await gateway.get('/v1/ledger', live_key, { accept: 'text/csv' });
    for (const note of notes.slice(0, 4)) expect(text).toContain(`,'${note},`);
    expect(text).toContain(",'\t=1,");
    expect(text).toContain(`,"'\r=1",`);
    expect(text).toContain(',plain = text,');
    expect(text).toContain(',"Thanks, ""Ada""",');
    expect(text).toContain(',-5,995,');
  });
});

describe('every answer', () => {
  it.each(['/health', '/v1/pricing', '/v1/balance', '/nothing', '/%', '/operator/v1/audit'])(
    'decisions 24: of %s says nosniff, and HSTS where the proxy was reached by TLS',
    async (url) => {
      const plain = await gateway.get(url);
      expect(plain.headers['x-content-type-options']).toBe('nosniff');
      expect(plain.headers['strict-transport-security']).toBeUndefined();
      const { headers } = await gateway.get(url, undefined, { 'x-forwarded-proto': 'https' });
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    },
  );

  it.each([
    '/operator',
    '/operator/v1/nothing',
    '/operator/v2',
    '/operator/v1/audit',
    '/operator/v1/%zz',
  ])('decisions 24: of %s is 401 without the token, for every method', async (url) => {
    for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
      expect((await gateway.call({ method, url })).status).toBe(401);
    }
  });
});
