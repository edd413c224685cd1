import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { openGateway, type WorkspaceKeys } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

const NIL = '00000000-0000-0000-0000-000000000000';

let workspace: WorkspaceKeys;

useGateway();

beforeAll(async () => {
  workspace = await gateway.newWorkspace();
});

const at = (rest = '') => `/workspaces/${workspace.workspace_id}${rest}`;

describe('the way in', () => {
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

  it.each(['?limit=0', '?limit=201', '?limit=x', '?cursor=%00', '?limit=1&limit=2'])(
    'refuse %s',
    async (query) => {
      const { status, body } = await gateway.operator('GET', `/workspaces${query}`);
      expect([status, body.error.type]).toEqual([400, 'validation_error']);
      expect(body.error.field).toMatch(/^(limit|cursor)$/);
    },
  );

  it('refuse a change that names a setting outside `settings`', async () => {
    const { workspace_id: id } = await gateway.newWorkspace();
    const patch = { limits: { key_per_minute: 1 } };
    const { status, body } = await gateway.operator('PATCH', `/workspaces/${id}`, patch);
    expect([status, body.error.type, body.error.field]).toEqual([
      400,
      'validation_error',
      'limits',
    ]);
  });

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

  it('tell the balance after a purchase has paid the debt', async () => {
    const purchase = { credits: 10, kind: 'purchase' };
    const before = await gateway.operator('POST', at('/top-ups'), purchase);
    gateway.billing.debt = 10;
    const { body } = await gateway.operator('POST', at('/top-ups'), purchase);
    gateway.billing.debt = 0;
    expect(body).toMatchObject({ credits: 10, balance: before.body.balance });
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
      created_by: null,
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
});
