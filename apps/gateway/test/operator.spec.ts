import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { OPERATOR_TOKEN, openGateway, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const NIL = '00000000-0000-0000-0000-000000000000';

let workspace: WorkspaceKeys;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace();
}, 60_000);

const at = (rest = '') => `/workspaces/${workspace.workspace_id}${rest}`;

describe('the way in', () => {
  it.each([undefined, 'Bearer wrong', `Basic ${OPERATOR_TOKEN}`])(
    'is closed to %s',
    async (authorization) => {
      const headers = authorization ? { authorization } : { authorization: '' };
      const { status, body } = await gateway.operator('GET', '/settings', undefined, headers);
      expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    },
  );

  it('does not exist while no token is set', async () => {
    const closed = await openGateway({ OPERATOR_TOKEN: '' });
    try {
      for (const [method, path] of [
        ['GET', '/settings'],
        ['POST', '/workspaces'],
        ['DELETE', '/settings'],
        ['GET', '/nope'],
      ] as const) {
        const { status, body } = await closed.operator(method, path);
        expect([status, body.error.type]).toEqual([404, 'not_found']);
      }
    } finally {
      await closed.close();
    }
  });

  it('is limited for guessers, not for the operator', async () => {
    const guess = () =>
      gateway.operator('GET', '/settings', undefined, { authorization: 'Bearer guess' });
    const answers: number[] = [];
    for (let index = 0; index < 25; index += 1) answers.push((await guess()).status);
    expect(answers.at(-1)).toBe(429);
    expect((await gateway.operator('GET', '/settings')).status).toBe(200);
  });
});

describe('workspaces', () => {
  it('are created with wallet, settings and a key for each mode', async () => {
    const { status, body } = await gateway.operator('POST', '/workspaces', {
      name: 'Zenith',
      credits: 50,
      billing_country: 'KE',
      settings: { otp_max_attempts: 3, limits: { key_per_minute: null } },
    });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual([
      'workspace_id',
      'name',
      'billing_country',
      'balance',
      'settings',
      'live_key',
      'test_key',
    ]);
    expect(body).toMatchObject({
      billing_country: 'KE',
      balance: 50,
      live_key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{32}$/),
      test_key: expect.stringMatching(/^svc_test_[0-9A-Za-z]{32}$/),
      settings: {
        default_language: 'en',
        sms_rewriting: true,
        country_enforcement: 'log',
        enabled_countries: ['KE'],
        otp_max_attempts: 3,
        otp_text: {},
        limits: { key_per_minute: null, workspace_per_minute: 1200 },
      },
    });
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['NUL in the name', { name: 'a\0' }, 'name'],
    ['negative credits', { name: 'a', credits: -1 }, 'credits'],
    ['half a credit', { name: 'a', credits: 1.5 }, 'credits'],
    ['an unknown country', { name: 'a', billing_country: 'XX' }, 'billing_country'],
    ['an unknown setting', { name: 'a', settings: { colour: 1 } }, 'settings.colour'],
    ['an unknown limit', { name: 'a', settings: { limits: { x: 1 } } }, 'settings.limits.x'],
    [
      'a negative limit',
      { name: 'a', settings: { limits: { key_per_minute: -1 } } },
      'settings.limits.key_per_minute',
    ],
    [
      'an unknown enabled country',
      { name: 'a', settings: { enabled_countries: ['ZZ'] } },
      'settings.enabled_countries',
    ],
    [
      'a text without a code',
      { name: 'a', settings: { otp_text: { en: 'Hi' } } },
      'settings.otp_text.en',
    ],
  ])('are refused with %s', async (_name, body, field) => {
    const answer = await gateway.operator('POST', '/workspaces', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ type: 'validation_error', field });
  });

  it('are read, changed deeply and listed', async () => {
    const patched = await gateway.operator('PATCH', at(), {
      settings: { limits: { sms_per_number_per_minute: 2 }, otp_text: { fr: 'Code {code}' } },
    });
    expect(patched.status).toBe(200);
    await gateway.operator('PATCH', at(), { name: 'Acme 2', settings: { otp_text: { fr: null } } });
    const { body } = await gateway.operator('GET', at());
    expect(Object.keys(body)).toEqual([
      'workspace_id',
      'name',
      'billing_country',
      'balance',
      'purchased_credits',
      'settings',
      'created_at',
    ]);
    expect(body).toMatchObject({ name: 'Acme 2', balance: 1000, purchased_credits: 0 });
    expect(body.settings.limits).toMatchObject({
      sms_per_number_per_minute: 2,
      key_per_minute: 600,
    });
    expect(body.settings.otp_text).toEqual({});
    const bad = await gateway.operator('PATCH', at(), { settings: { sms_rewriting: 'yes' } });
    expect(bad.body.error.field).toBe('settings.sms_rewriting');
  });

  it('are listed in pages, newest first', async () => {
    for (let index = 0; index < 3; index += 1) await gateway.newWorkspace();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor ? `?limit=2&cursor=${cursor}` : '?limit=2';
      const { body } = await gateway.operator('GET', `/workspaces${query}`);
      seen.push(...body.data.map((item: WorkspaceKeys) => item.workspace_id));
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toEqual(seen.toSorted().toReversed());
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(workspace.workspace_id);
  });

  it.each(['?limit=0', '?limit=201', '?limit=x', '?cursor=%00', '?limit=1&limit=2'])(
    'refuse %s',
    async (query) => {
      const { status, body } = await gateway.operator('GET', `/workspaces${query}`);
      expect([status, body.error.type]).toEqual([400, 'validation_error']);
      expect(body.error.field).toMatch(/^(limit|cursor)$/);
    },
  );

  it('are 404 when unknown', async () => {
    for (const id of [NIL, 'x', newId()]) {
      const answers = [
        await gateway.operator('GET', `/workspaces/${id}`),
        await gateway.operator('PATCH', `/workspaces/${id}`, {}),
        await gateway.operator('GET', `/workspaces/${id}/keys`),
        await gateway.operator('GET', `/workspaces/${id}/ledger`),
        await gateway.operator('GET', `/workspaces/${id}/webhook/deliveries`),
        await gateway.operator('POST', `/workspaces/${id}/top-ups`, { credits: 1, kind: 'bonus' }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    }
  });
});

describe('top-ups and the ledger', () => {
  it('add credits once per Idempotency-Key', async () => {
    const own = await gateway.newWorkspace();
    const path = `/workspaces/${own.workspace_id}/top-ups`;
    const body = { credits: 10, kind: 'purchase', note: 'invoice 7' };
    const first = await gateway.operator('POST', path, body, { 'idempotency-key': 'a' });
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      entry_id: expect.any(String),
      kind: 'purchase',
      credits: 10,
      balance: 1010,
    });
    const again = await gateway.operator('POST', path, body, { 'idempotency-key': 'a' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(again.text).toBe(first.text);
    const other = { ...body, credits: 11 };
    const conflict = await gateway.operator('POST', path, other, { 'idempotency-key': 'a' });
    expect([conflict.status, conflict.body.error.type]).toEqual([409, 'idempotency_conflict']);
    const ledger = await gateway.operator('GET', `/workspaces/${own.workspace_id}/ledger?limit=1`);
    expect(ledger.body.data[0]).toMatchObject({ kind: 'top_up', top_up_kind: 'purchase' });
  });

  it.each([
    ['no amount', { kind: 'bonus' }, 'credits'],
    ['nothing', { credits: 0, kind: 'adjustment' }, 'credits'],
    ['a negative purchase', { credits: -1, kind: 'purchase' }, 'credits'],
    ['an unknown kind', { credits: 1, kind: 'gift' }, 'kind'],
  ])('refuse %s', async (_name, body, field) => {
    const answer = await gateway.operator('POST', at('/top-ups'), body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.field).toBe(field);
  });

  it('let only an adjustment take away, and never more than there is', async () => {
    const own = await gateway.newWorkspace();
    const path = `/workspaces/${own.workspace_id}/top-ups`;
    const some = await gateway.operator('POST', path, { credits: -400, kind: 'adjustment' });
    expect(some.body).toMatchObject({ credits: -400, balance: 600 });
    const more = await gateway.operator('POST', path, { credits: -601, kind: 'adjustment' });
    expect([more.status, more.body.error.type]).toEqual([409, 'conflict']);
  });

  it('refuse a cursor that is none', async () => {
    const { status, body } = await gateway.operator('GET', at('/ledger?cursor=x'));
    expect([status, body.error.field]).toEqual([400, 'cursor']);
  });
});

describe('keys', () => {
  it('show themselves once', async () => {
    const { status, body } = await gateway.operator('POST', at('/keys'), {
      name: 'CI',
      mode: 'test',
      permission: 'otp',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      key_id: expect.any(String),
      key: expect.stringMatching(/^svc_test_/),
      name: 'CI',
      mode: 'test',
      permission: 'otp',
      last4: body.key.slice(-4),
      created_at: expect.any(String),
    });
    const list = await gateway.operator('GET', at('/keys'));
    expect(list.body.data[0]).toMatchObject({ key_id: body.key_id, revoked_at: null });
    expect(list.text).not.toContain(body.key);
    expect((await gateway.operator('DELETE', `/keys/${body.key_id}`)).text).toBe('');
    const revoked = await gateway.operator('GET', at('/keys?limit=1'));
    expect(revoked.body.data[0].revoked_at).toEqual(expect.any(String));
    expect((await gateway.operator('DELETE', `/keys/${body.key_id}`)).status).toBe(204);
    expect((await gateway.operator('DELETE', `/keys/${NIL}`)).status).toBe(404);
  });

  it('need a mode and a known permission', async () => {
    const none = await gateway.operator('POST', at('/keys'), {});
    expect(none.body.error.field).toBe('mode');
    const bad = await gateway.operator('POST', at('/keys'), { mode: 'live', permission: 'all' });
    expect(bad.body.error.field).toBe('permission');
  });
});

describe('the webhook', () => {
  it('is put, rotated, listed and removed', async () => {
    const missing = await gateway.operator('POST', at('/webhook/rotate-secret'));
    expect(missing.status).toBe(404);
    const refused = await gateway.operator('PUT', at('/webhook'), { url: 'ftp://x' });
    expect([refused.status, refused.body.error.field]).toEqual([400, 'url']);
    const put = await gateway.operator('PUT', at('/webhook'), { url: 'https://example.com/hook' });
    expect([put.status, put.body]).toEqual([
      200,
      { url: 'https://example.com/hook', events: ['otp.sent'], secret: 'whsec_c2VjcmV0' },
    ]);
    const rotated = await gateway.operator('POST', at('/webhook/rotate-secret'));
    expect([rotated.status, Object.keys(rotated.body)]).toEqual([
      200,
      ['secret', 'previous_expires_at'],
    ]);
    expect((await gateway.operator('GET', at('/webhook/deliveries'))).body).toEqual({ data: [] });
    expect((await gateway.operator('DELETE', at('/webhook'))).status).toBe(204);
    expect((await gateway.operator('DELETE', at('/webhook'))).status).toBe(404);
  });
});
