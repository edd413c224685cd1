import { describe, expect, it } from '@jest/globals';
import type { Answer } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, newOperatorUser, newOwner } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.field];

describe('a user who is an operator', () => {
  it('decisions 22: reaches the operator API with a session, and stays an owner of a workspace', async () => {
    const staff = await newOperatorUser(gateway);
    const { live_key } = await gateway.newWorkspace();
    expect((await staff.call('GET', '/auth/me')).body.user).toMatchObject({
      user_id: staff.userId,
      role: 'owner',
      operator: true,
    });
    const { body } = await staff.call('GET', `/operator/v1/users?email=${staff.email}`);
    expect(body.data).toMatchObject([{ user_id: staff.userId, operator: true }]);
    expect((await staff.call('GET', '/operator/v1/settings')).status).toBe(200);
    expect((await dashboard(staff, 'GET', 'workspace')).status).toBe(200);
    expect((await staff.call('GET', '/v1/ledger')).status).toBe(401);
    expect((await gateway.get('/operator/v1/settings', live_key)).status).toBe(401);
  });

  it('needs the CSRF token for calls that change something', async () => {
    const staff = await newOperatorUser(gateway);
    const { workspace_id: id } = await gateway.newWorkspace();
    const rename = (name: string, headers: object) =>
      staff.call('PATCH', `/operator/v1/workspaces/${id}`, { name }, headers);
    const without = await rename('Taken', { 'x-csrf-token': 'x' });
    expect(errorOf(without)).toEqual([403, 'permission_error', 'X-CSRF-Token']);
    const renamed = await rename('Renamed', {});
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Renamed']);
  });

  it('needs it for a read that reveals, too, which a link on another page could ask for', async () => {
    const staff = await newOperatorUser(gateway);
    const path = '/operator/v1/messages?reveal=true&reason=Ticket%207';
    const without = await staff.call('GET', path, undefined, { 'x-csrf-token': '' });
    expect(errorOf(without)).toEqual([403, 'permission_error', 'X-CSRF-Token']);
    expect((await staff.call('GET', path)).status).toBe(200);
  });

  it('decisions 22: the audit of the platform names a user who is an operator, and no audit of a workspace does', async () => {
    const [staff, customer] = [await newOperatorUser(gateway), await newOwner(gateway)];
    const path = `/operator/v1/workspaces/${customer.workspaceId}`;
    await staff.call('PATCH', path, { name: 'Renamed' });
    await gateway.operator('PATCH', `/workspaces/${customer.workspaceId}`, { name: 'Again' });
    const query = `/audit?workspace_id=${customer.workspaceId}&limit=2`;
    const platform = await gateway.operator('GET', query);
    expect(platform.body.data).toMatchObject([
      { actor: { type: 'operator', user_id: null, email: null }, path },
      { actor: { type: 'operator', user_id: staff.userId, email: staff.email }, path },
    ]);
    const own = await dashboard(customer, 'GET', 'audit');
    const calls = own.body.data.filter((record: { path: string }) => record.path === path);
    for (const { actor, client_ip } of calls) {
      expect([actor, client_ip]).toEqual([{ type: 'operator' }, null]);
    }
    expect(calls).toHaveLength(2);
  });

  it('is none from the next call on once dismissed, with the same session', async () => {
    const staff = await newOperatorUser(gateway);
    const dismissed = await gateway.operator('DELETE', `/users/${staff.userId}/operator`);
    expect(dismissed.status).toBe(204);
    const call = await staff.call('GET', '/operator/v1/settings');
    expect(errorOf(call)).toEqual([401, 'authentication_error', undefined]);
    expect((await staff.call('GET', '/auth/me')).body.user.operator).toBe(false);
  });
});

it('owners of workspaces are no operators, and make none', async () => {
  const owner = await newOwner(gateway);
  const { body } = await owner.call('GET', '/auth/me');
  const path = `/operator/v1/users/${body.user.user_id}/operator`;
  expect((await owner.call('PUT', path)).status).toBe(401);
  expect((await owner.call('GET', '/auth/me')).body.user.operator).toBe(false);
});
