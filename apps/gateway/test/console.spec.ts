import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHANGES, dashboard, newOwner, Person, READS } from './person.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

type Owner = Awaited<ReturnType<typeof newOwner>>;

let owner: Owner;

const NIL = '00000000-0000-0000-0000-000000000000';
const SEND_OTP = { phone_number: '+2348031234567' };

useGateway({ TRUSTED_PROXIES: '1' });

beforeAll(async () => {
  owner = await newOwner(gateway);
});

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
    const patch = { name: 'Engines', settings: { default_language: 'fr', otp_max_attempts: 2 } };
    const { status, body } = await dashboard(own, 'PATCH', 'workspace', patch);
    expect([status, body.name, body.settings.default_language]).toEqual([200, 'Engines', 'fr']);
    await gateway.post('/v1/otp/send', key.key, SEND_OTP);
    expect([...gateway.billing.commands.values()].at(-1)?.otp).toMatchObject({
      brand: 'Engines',
      language: 'fr',
      max_attempts: 2,
    });
  });

  it.each([
    ['settings.default_language', { settings: { default_language: 'de' } }],
    ['settings.colour', { settings: { colour: 'red' } }],
    ['settings.enabled_countries', { settings: { enabled_countries: ['ZZ'] } }],
    ['name', { name: '' }],
    ['limits', { limits: { key_per_minute: 1 } }],
  ])('refuses a wrong %s', async (field, patch) => {
    const { status, body } = await dashboard(owner, 'PATCH', 'workspace', patch);
    expect([status, body.error.type, body.error.field]).toEqual([400, 'validation_error', field]);
  });
});

describe('settings of the operator', () => {
  it.each([
    ['limits', { key_per_minute: 1 }],
    ['anti_spam_allow', { domains: ['acme.example'] }],
    ['anti_spam_allow', {}],
  ])('are shown to owners, who cannot change %s to %j', async (name, value) => {
    const { status, body } = await dashboard(owner, 'PATCH', 'workspace', {
      settings: { [name]: value },
    });
    const refused = [403, 'permission_error', `settings.${name}`];
    expect([status, body.error.type, body.error.field]).toEqual(refused);
    const read = await dashboard(owner, 'GET', 'workspace');
    expect(read.body.settings.anti_spam_allow).toEqual({
      sender_ids: [],
      template_ids: [],
      domains: [],
    });
  });
});

describe('keys', () => {
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
      disabled_reason: null,
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
    gateway.webhooks.endpoints.set(own.workspaceId, {
      ...endpoint!,
      status: 'disabled',
      disabled_reason: 'failing',
    });
    const { status, body } = await dashboard(own, 'POST', 'webhook/test');
    expect([status, body.error.type]).toEqual([409, 'conflict']);
    expect((await dashboard(own, 'GET', 'webhook')).body.disabled_reason).toBe('failing');
  });
});
