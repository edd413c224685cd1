import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { openGateway, type TestGateway } from './gateway.kit.js';
import { newOwner, Person } from './person.kit.js';

type Owner = Awaited<ReturnType<typeof newOwner>>;

let gateway: TestGateway;
let owner: Owner;

const NIL = '00000000-0000-0000-0000-000000000000';
const SEND_OTP = { phone_number: '+2348031234567' };

const READS = ['workspace', 'keys', 'webhook', 'webhook/deliveries', 'members', 'messages'].concat(
  'ledger',
  'audit',
);
const CHANGES: [method: string, path: string, body: object | undefined][] = [
  ['PATCH', 'workspace', { name: 'Changed' }],
  ['POST', 'keys', { mode: 'live' }],
  ['DELETE', `keys/${NIL}`, undefined],
  ['PUT', 'webhook', { url: 'https://hooks.example.com' }],
  ['DELETE', 'webhook', undefined],
  ['POST', 'webhook/rotate-secret', undefined],
  ['POST', 'webhook/test', undefined],
  ['POST', 'members', { email: 'new@example.com' }],
];

// Passwords are slow to hash on purpose, and slower on a busy machine.
jest.setTimeout(30_000);

beforeAll(async () => {
  gateway = await openGateway({ TRUSTED_PROXIES: '1' });
  owner = await newOwner(gateway);
}, 60_000);

afterAll(() => gateway?.close());

const dashboard = (person: Person, method: string, path: string, body?: unknown, headers = {}) =>
  person.call(method, `/dashboard/${path}`, body, headers);

async function memberOf(inviter: Owner, role?: string): Promise<Person> {
  const person = new Person(gateway);
  const invited = await dashboard(inviter, 'POST', 'members', { email: person.email, role });
  expect(invited.status).toBe(201);
  const joined = await person.signUp({ invitation_token: invited.body.invitation_token });
  expect(joined.status).toBe(200);
  return person;
}

describe('the way in', () => {
  const reads = READS.map((path): [string, string] => ['GET', path]);
  const changes = CHANGES.map(([method, path]): [string, string] => [method, path]);

  it.each([...reads, ...changes])(
    '%s /dashboard/%s needs a session, and a key is none',
    async (method, path) => {
      const stranger = new Person(gateway);
      const { body: key } = await dashboard(owner, 'POST', 'keys', { mode: 'live' });
      const bearer = { authorization: `Bearer ${key.key}` };
      for (const headers of [{}, { 'x-csrf-token': owner.csrfToken }, bearer]) {
        const { status, body } = await dashboard(stranger, method, path, undefined, headers);
        expect([status, body.error.type]).toEqual([401, 'authentication_error']);
      }
    },
  );

  it.each(CHANGES)('%s /dashboard/%s needs the CSRF token', async (method, path, body) => {
    const other = await newOwner(gateway);
    const before = await dashboard(owner, 'GET', 'audit');
    for (const token of ['', 'x', other.csrfToken, owner.cookie.split('=')[1] as string]) {
      const headers = { 'x-csrf-token': token };
      const answer = await dashboard(owner, method, path, body, headers);
      expect([answer.status, answer.body.error.type]).toEqual([403, 'permission_error']);
      expect(answer.body.error.field).toBe('X-CSRF-Token');
    }
    expect((await dashboard(owner, 'GET', 'audit')).body).toEqual(before.body);
  });

  it.each(READS)('GET /dashboard/%s needs none', async (path) => {
    const { status } = await dashboard(owner, 'GET', path, undefined, { 'x-csrf-token': '' });
    expect(status).toBe(path === 'webhook' ? 404 : 200);
  });

  it.each([
    ['GET', 'webhook/test', 405, 'POST'],
    ['PUT', 'workspace', 405, 'GET, HEAD, PATCH'],
    ['GET', `keys/${NIL}`, 405, 'DELETE'],
    ['GET', 'nothing', 404, undefined],
  ])('%s /dashboard/%s is %i', async (method, path, status, allow) => {
    const answer = await dashboard(owner, method, path);
    expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
  });

  it('counts by address, with a session and without, together with keys', async () => {
    const limits = { ip_authenticated_per_minute: 4, ip_unauthenticated_per_minute: 2 };
    const { body: key } = await dashboard(owner, 'POST', 'keys', { mode: 'live' });
    await gateway.operator('PATCH', '/settings', { limits });
    const person = Object.assign(new Person(gateway), { cookie: owner.cookie });
    const headers = { 'x-forwarded-for': person.ip };
    await gateway.get(`/v1/otp/${NIL}`, key.key, headers);
    for (let calls = 0; calls < 3; calls += 1) {
      expect((await dashboard(person, 'GET', 'workspace')).status).toBe(200);
    }
    const refused = await dashboard(person, 'GET', 'workspace');
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limit_exceeded']);
    expect((await gateway.get(`/v1/otp/${NIL}`, key.key, headers)).status).toBe(429);
    const stranger = new Person(gateway);
    expect((await dashboard(stranger, 'GET', 'workspace')).status).toBe(401);
    expect((await dashboard(stranger, 'GET', 'nothing')).status).toBe(404);
    expect((await dashboard(stranger, 'GET', 'workspace')).status).toBe(429);
    await gateway.operator('PATCH', '/settings', {
      limits: { ip_authenticated_per_minute: 1200, ip_unauthenticated_per_minute: 100 },
    });
  });
});

describe('the workspace', () => {
  it('is the record that the operator sees', async () => {
    const { status, body, headers } = await dashboard(owner, 'GET', 'workspace');
    expect(status).toBe(200);
    expect(body).toEqual((await gateway.operator('GET', `/workspaces/${owner.workspaceId}`)).body);
    expect(body.settings.limits.key_per_minute).toBe(600);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('changes name and settings, with effect on the next request', async () => {
    const own = await newOwner(gateway);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'live' });
    await gateway.post('/v1/otp/send', key.key, SEND_OTP);
    const patch = { name: 'Zenith', settings: { default_language: 'fr', otp_max_attempts: 2 } };
    const { status, body } = await dashboard(own, 'PATCH', 'workspace', patch);
    expect([status, body.name, body.settings.default_language]).toEqual([200, 'Zenith', 'fr']);
    await gateway.post('/v1/otp/send', key.key, SEND_OTP);
    expect([...gateway.billing.commands.values()].at(-1)?.otp).toMatchObject({
      brand: 'Zenith',
      language: 'fr',
      max_attempts: 2,
    });
  });

  it.each([
    ['settings.default_language', { settings: { default_language: 'de' } }],
    ['settings.colour', { settings: { colour: 'red' } }],
    ['settings.enabled_countries', { settings: { enabled_countries: ['ZZ'] } }],
    ['name', { name: '' }],
  ])('refuses a wrong %s', async (field, patch) => {
    const { status, body } = await dashboard(owner, 'PATCH', 'workspace', patch);
    expect([status, body.error.type, body.error.field]).toEqual([400, 'validation_error', field]);
  });

  it('shows its limits and refuses to change them, and all else that came along', async () => {
    const settings = { default_language: 'fr', limits: { key_per_minute: 1_000_000 } };
    const { status, body } = await dashboard(owner, 'PATCH', 'workspace', { settings });
    expect([status, body.error.type, body.error.field]).toEqual([
      403,
      'permission_error',
      'settings.limits',
    ]);
    const { body: now } = await dashboard(owner, 'GET', 'workspace');
    expect(now.settings).toMatchObject({ default_language: 'en', limits: { key_per_minute: 600 } });
  });
});

describe('keys', () => {
  it('are created, used, listed and refused at once when revoked', async () => {
    const own = await newOwner(gateway);
    const wanted = { mode: 'test', permission: 'otp', name: 'Shop' };
    const { status, body: created } = await dashboard(own, 'POST', 'keys', wanted);
    expect([status, created]).toEqual([
      201,
      {
        key_id: expect.any(String),
        key: expect.stringMatching(/^svc_test_[0-9A-Za-z]{32}$/),
        ...wanted,
        last4: created.key.slice(-4),
        created_at: expect.any(String),
      },
    ]);
    expect((await gateway.post('/v1/otp/send', created.key, SEND_OTP)).status).toBe(200);
    expect((await gateway.get('/v1/balance', created.key)).status).toBe(403);
    const { body: list } = await dashboard(own, 'GET', 'keys');
    expect(list.data).toMatchObject([{ key_id: created.key_id, name: 'Shop', revoked_at: null }]);
    expect(JSON.stringify(list)).not.toContain(created.key);

    expect((await dashboard(own, 'DELETE', `keys/${created.key_id}`)).status).toBe(204);
    expect((await gateway.post('/v1/otp/send', created.key, SEND_OTP)).status).toBe(401);
    expect((await dashboard(own, 'DELETE', `keys/${created.key_id}`)).status).toBe(204);
    const { body: after } = await dashboard(own, 'GET', 'keys');
    expect(after.data[0].revoked_at).toEqual(expect.any(String));
  });

  it('of another workspace are not there', async () => {
    const other = await newOwner(gateway);
    const { body: key } = await dashboard(other, 'POST', 'keys', { mode: 'live' });
    for (const id of [key.key_id, NIL, 'nonsense']) {
      expect((await dashboard(owner, 'DELETE', `keys/${id}`)).status).toBe(404);
    }
    expect((await gateway.post('/v1/otp/send', key.key, SEND_OTP)).status).toBe(200);
  });

  it('need a mode and a known permission', async () => {
    for (const [body, field] of [
      [{}, 'mode'],
      [{ mode: 'live', permission: 'root' }, 'permission'],
    ] as const) {
      expect((await dashboard(owner, 'POST', 'keys', body)).body.error.field).toBe(field);
    }
  });
});

describe('the webhook', () => {
  it('is put, shown, rotated, tried and removed', async () => {
    const own = await newOwner(gateway);
    const put = { url: 'https://hooks.example.com/a', events: ['otp.sent'] };
    const { status, body } = await dashboard(own, 'PUT', 'webhook', put);
    expect([status, body]).toEqual([200, { ...put, secret: expect.stringMatching(/^whsec_/) }]);
    expect((await dashboard(own, 'GET', 'webhook')).body).toMatchObject({
      ...body,
      status: 'enabled',
    });
    const rotated = await dashboard(own, 'POST', 'webhook/rotate-secret');
    expect(rotated.body).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_expires_at: expect.any(String),
    });
    const tried = await dashboard(own, 'POST', 'webhook/test');
    expect([tried.status, tried.body]).toEqual([
      200,
      {
        event_id: expect.any(String),
        event_type: 'credit_balance.topped_up',
        delivery_id: expect.any(String),
      },
    ]);
    expect(gateway.webhooks.tests.at(-1)).toEqual({ workspace_id: own.workspaceId, balance: 10 });
    expect((await dashboard(own, 'GET', 'webhook/deliveries')).body).toEqual({ data: [] });
    expect((await dashboard(own, 'DELETE', 'webhook')).status).toBe(204);
    for (const [method, path] of [
      ['GET', 'webhook'],
      ['DELETE', 'webhook'],
      ['POST', 'webhook/test'],
      ['POST', 'webhook/rotate-secret'],
    ] as const) {
      expect((await dashboard(own, method, path)).status).toBe(404);
    }
  });

  it('is refused with the field that is to blame', async () => {
    const { status, body } = await dashboard(owner, 'PUT', 'webhook', { url: 'http://x' });
    expect([status, body.error.field]).toEqual([400, 'url']);
  });

  it('cannot be tried while it is disabled', async () => {
    const own = await newOwner(gateway);
    await dashboard(own, 'PUT', 'webhook', { url: 'https://hooks.example.com' });
    const endpoint = gateway.webhooks.endpoints.get(own.workspaceId);
    gateway.webhooks.endpoints.set(own.workspaceId, { ...endpoint!, status: 'disabled' });
    const { status, body } = await dashboard(own, 'POST', 'webhook/test');
    expect([status, body.error.type]).toEqual([409, 'conflict']);
  });
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
    const member = await memberOf(own);
    for (const [method, path, body] of CHANGES) {
      const { status } = await dashboard(member, method, path, body);
      const isOwners = path === 'workspace' || path === 'members';
      expect([path, status === 403]).toEqual([path, isOwners]);
    }
    for (const path of READS) {
      expect((await dashboard(member, 'GET', path)).status).not.toBe(403);
    }
    const second = await memberOf(own, 'owner');
    expect((await dashboard(second, 'PATCH', 'workspace', { name: 'Ours' })).status).toBe(200);
  });

  it('are listed in pages', async () => {
    const own = await newOwner(gateway);
    await memberOf(own);
    await memberOf(own);
    const { body: first } = await dashboard(own, 'GET', 'members?limit=2');
    await memberOf(own);
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
      `POST /operator/v1/workspaces/${own.workspaceId}/top-ups 201`,
      'PATCH /dashboard/workspace 403',
      'POST /dashboard/keys 201',
      'POST /auth/signup 200',
    ]);
    expect(body.data[2]).toMatchObject({
      actor: { type: 'operator' },
      client_ip: null,
      effect: { credits: 5, kind: 'bonus' },
    });
    expect(body.data[3]).toMatchObject({ effect: { refused: 'permission_error' } });
    expect(body.data[4]).toEqual({
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
  it('has a balance', async () => {
    const workspace = await gateway.newWorkspace();
    for (const key of [workspace.live_key, workspace.test_key]) {
      const { status, body, headers } = await gateway.get('/v1/balance', key);
      expect([status, body]).toEqual([
        200,
        { workspace_id: workspace.workspace_id, balance: 1000, updated_at: expect.any(String) },
      ]);
      expect(headers['x-ratelimit-remaining']).toBeDefined();
    }
  });

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
    expect(lines[0]).toBe('id,kind,top_up_kind,credits,balance_after,message_id,note,created_at');
    const [first, last] = [gateway.billing.entries[0], gateway.billing.entries.at(-1)];
    expect(lines[1]).toBe(
      `${first?.id},top_up,bonus,7,7,,"Thanks, ""Ada""\nfor all",2026-01-05T09:00:00.000Z`,
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
