import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { dashboard, newOwner } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

describe('the audit', () => {
  it('has what people and the operator did, with its effect and without secrets', async () => {
    const own = await newOwner(gateway);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'live' });
    await dashboard(own, 'PATCH', 'workspace', { settings: { limits: {} } });
    await dashboard(own, 'GET', 'keys');
    const topUp = { credits: 5, kind: 'bonus' };
    await gateway.operator('POST', `/workspaces/${own.workspaceId}/top-ups`, topUp);
    await gateway.operator('GET', `/workspaces/${own.workspaceId}`);
    await gateway.operator('PATCH', '/settings', {});
    await own.call('POST', '/auth/logout');
    await own.logIn();
    const { status, body, text } = await dashboard(own, 'GET', 'audit');
    expect(status).toBe(200);
    const seen = body.data.map((record: Record<string, unknown>) =>
      [record.method, record.path, record.status].join(' '),
    );
    expect(seen).toEqual([
      'POST /auth/login 200',
      'POST /auth/logout 204',
      `GET /operator/v1/workspaces/${own.workspaceId} 200`,
      `POST /operator/v1/workspaces/${own.workspaceId}/top-ups 201`,
      'PATCH /dashboard/workspace 403',
      'POST /dashboard/keys 201',
      'POST /auth/signup 200',
    ]);
    expect(body.data[3]).toMatchObject({
      actor: { type: 'operator' },
      client_ip: null,
      effect: { credits: 5, kind: 'bonus' },
    });
    expect(body.data[4]).toMatchObject({ effect: { refused: 'permission_error' } });
    expect(body.data[5]).toEqual({
      id: expect.any(String),
      actor: { type: 'user', user_id: expect.any(String), email: own.email },
      method: 'POST',
      path: '/dashboard/keys',
      status: 201,
      effect: expect.objectContaining({ key_id: key.key_id, permission: 'full' }),
      client_ip: own.ip,
      request_id: expect.any(String),
      created_at: expect.any(String),
    });
    expect(text).not.toMatch(/svc_live_|whsec_|argon2/);
    const { body: page } = await dashboard(own, 'GET', 'audit?limit=4');
    const { body: rest } = await dashboard(own, 'GET', `audit?cursor=${page.next_cursor}`);
    expect([...page.data, ...rest.data]).toEqual(body.data);
  });
});

describe('money', () => {
  it('streams the whole ledger as CSV from the cursor on', async () => {
    const own = await newOwner(gateway);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'live' });
    ledgerOf(450);
    gateway.billing.entries[0] = {
      ...gateway.billing.entries[0]!,
      note: 'Thanks, "Ada"\nfor all',
    };
    const csv = { accept: 'text/csv' };
    const { status, headers, text } = await gateway.get('/v1/ledger?limit=1', key.key, csv);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['x-ratelimit-remaining']).toBeDefined();
    const lines = text.split('\r\n');
    const members =
      'id,kind,top_up_kind,credits,balance_after,message_id,payment_id,note,created_at';
    expect(lines[0]).toBe(members);
    const [first, last] = [gateway.billing.entries[0], gateway.billing.entries.at(-1)];
    expect(lines[1]).toBe(
      `${first?.id},top_up,bonus,7,7,,,"Thanks, ""Ada""\nfor all",2026-01-05T09:00:00.000Z`,
    );
    expect(lines).toHaveLength(452);
    expect(lines.at(-2)).toContain(last?.id);
    expect(lines.at(-1)).toBe('');
    const from = await gateway.get('/v1/ledger?cursor=448', key.key, csv);
    expect(from.text.split('\r\n')).toHaveLength(4);
    expect((await dashboard(own, 'GET', 'ledger', undefined, csv)).text).toBe(text);
    const refused = await gateway.get('/v1/ledger?cursor=bogus', key.key, csv);
    expect([refused.status, refused.body.error.field]).toEqual([400, 'cursor']);
  });

  function ledgerOf(count: number): void {
    const entries = Array.from({ length: count }, (_, index) => ({
      id: newId(),
      kind: index % 2 === 0 ? ('top_up' as const) : ('charge' as const),
      ...(index % 2 === 0 ? { top_up_kind: 'bonus' as const } : { message_id: newId() }),
      credits: 7,
      balance_after: 7,
      created_at: '2026-01-05T09:00:00.000Z',
    }));
    gateway.billing.entries.splice(0, Infinity, ...entries);
  }
});
