import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { CHANGES, dashboard, memberOf, newOwner, Person, READS } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

type Owner = Awaited<ReturnType<typeof newOwner>>;

let owner: Owner;

useGateway({ TRUSTED_PROXIES: '1' });

beforeAll(async () => {
  owner = await newOwner(gateway);
});

describe('members', () => {
  it('come by an invitation that is shown once and good once', async () => {
    const own = await newOwner(gateway);
    const guest = new Person(gateway);
    const { status, body } = await dashboard(own, 'POST', 'members', {
      email: guest.email.toUpperCase(),
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        email: guest.email,
        role: 'member',
        status: 'invited',
        invitation_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        expires_at: expect.any(String),
      },
    ]);
    const invitation = { invitation_token: body.invitation_token };
    expect((await new Person(gateway).signUp(invitation)).body.error.field).toBe(
      'invitation_token',
    );
    const joined = await guest.signUp({ ...invitation, name: 'Guest' });
    expect(joined.body.user).toMatchObject({ name: 'Guest', role: 'member' });
    expect(joined.body.workspace.workspace_id).toBe(own.workspaceId);
    expect((await guest.logIn(invitation)).body.error.field).toBe('invitation_token');
    const { body: list } = await dashboard(guest, 'GET', 'members');
    expect(list.data).toMatchObject([
      { email: guest.email, name: 'Guest', role: 'member', joined_at: expect.any(String) },
      { email: own.email, role: 'owner' },
    ]);
    expect(JSON.stringify(list)).not.toContain('argon2');
  });

  it('may have an account already, and choose between their workspaces', async () => {
    const own = await newOwner(gateway);
    const guest = await newOwner(gateway);
    const { body } = await dashboard(own, 'POST', 'members', { email: guest.email, role: 'owner' });
    const joined = await guest.logIn({ invitation_token: body.invitation_token });
    expect(joined.body.workspace.workspace_id).toBe(own.workspaceId);
    expect(joined.body.user.role).toBe('owner');
    const home = await guest.logIn({ workspace_id: guest.workspaceId.toUpperCase() });
    expect(home.body.workspace.workspace_id).toBe(guest.workspaceId);
    const foreign = await guest.logIn({ workspace_id: owner.workspaceId });
    expect([foreign.status, foreign.body.error.field]).toEqual([400, 'workspace_id']);
  });

  it('come too late after a week', async () => {
    const own = await newOwner(gateway);
    const guest = new Person(gateway);
    const { body } = await dashboard(own, 'POST', 'members', { email: guest.email });
    gateway.clock.advance(7 * 24 * 60 * 60 * 1_000);
    const late = await guest.signUp({ invitation_token: body.invitation_token });
    expect([late.status, late.body.error.field]).toEqual([400, 'invitation_token']);
    await owner.logIn();
  });

  it('do everything but change the workspace and invite', async () => {
    const own = await newOwner(gateway);
    const member = await memberOf(gateway, own);
    for (const [method, path, body] of CHANGES) {
      const { status } = await dashboard(member, method, path, body);
      const isOwners = path === 'workspace' || path === 'members';
      expect([path, status === 403]).toEqual([path, isOwners]);
    }
    for (const path of READS) {
      const { status } = await dashboard(member, 'GET', path);
      expect([path, status === 403]).toEqual([path, path === 'audit']);
    }
    const second = await memberOf(gateway, own, 'owner');
    expect((await dashboard(second, 'PATCH', 'workspace', { name: 'Ours' })).status).toBe(200);
  });

  it('are listed in pages', async () => {
    const own = await newOwner(gateway);
    await memberOf(gateway, own);
    await memberOf(gateway, own);
    const { body: first } = await dashboard(own, 'GET', 'members?limit=2');
    await memberOf(gateway, own);
    const next = `members?limit=2&cursor=${first.next_cursor}`;
    const { body: second } = await dashboard(own, 'GET', next);
    expect(first.data).toHaveLength(2);
    expect(second.data).toMatchObject([{ email: own.email }]);
    expect(second).not.toHaveProperty('next_cursor');
  });
});

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

  it('of another workspace is not there', async () => {
    const other = await newOwner(gateway);
    const { body } = await dashboard(other, 'GET', 'audit');
    expect(body.data).toHaveLength(1);
  });
});

describe('money', () => {
  it('has a ledger in pages, by kind, for keys and in the dashboard', async () => {
    const own = await newOwner(gateway);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'live' });
    ledgerOf(5);
    const { status, body } = await gateway.get('/v1/ledger?limit=2', key.key);
    expect([status, body.data.length, body.next_cursor]).toEqual([200, 2, expect.any(String)]);
    const next = await gateway.get(`/v1/ledger?limit=200&cursor=${body.next_cursor}`, key.key);
    expect(next.body.data).toHaveLength(3);
    expect(next.body).not.toHaveProperty('next_cursor');
    expect((await dashboard(own, 'GET', 'ledger?limit=2')).body).toEqual(body);
    const charges = await gateway.get('/v1/ledger?kind=charge', key.key);
    expect(charges.body.data.every(({ kind }: { kind: string }) => kind === 'charge')).toBe(true);
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['limit=x', 'limit'],
      ['kind=gift', 'kind'],
      ['cursor=bogus', 'cursor'],
    ]) {
      const refused = await gateway.get(`/v1/ledger?${query}`, key.key);
      expect([refused.status, refused.body.error.field]).toEqual([400, field]);
    }
  });

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

  it.each([
    ['text/csv', true],
    ['application/json, text/csv;q=0.5', false],
    ['text/csv;q=0', false],
    ['text/csv, application/json', true],
    ['*/*', false],
    ['application/json', false],
  ])('Accept: %s is CSV: %s', async (accept, isCsv) => {
    const { live_key: key } = await gateway.newWorkspace();
    const { headers } = await gateway.get('/v1/ledger', key, { accept });
    expect(String(headers['content-type']).startsWith('text/csv')).toBe(isCsv);
    expect(headers.vary).toBe('accept');
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
