import { describe, expect, it } from '@jest/globals';
import { dashboard, newOwner } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const topUp = { credits: 5, kind: 'bonus' };

useGateway({ TRUSTED_PROXIES: '1' }, undefined, {
  before: async ({ billing: { operations } }) => {
    operations['createTopUp'] = async () => ({ outcome: { body: {}, effect: topUp } });
  },
});

describe('the audit', () => {
  it('has what people and the operator did, with its effect and without secrets', async () => {
    const own = await newOwner(gateway);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'live' });
    await dashboard(own, 'PATCH', 'workspace', { settings: { limits: {} } });
    await dashboard(own, 'GET', 'keys');
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
