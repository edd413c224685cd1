/** A session at routes for keys, as an attacker would try it. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import type { Answer } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';
import {
  dashboard,
  freshIp,
  memberOf,
  newOperatorUser,
  newOwner,
  type Person,
} from './person.kit.js';
import { listen, withhold } from './withheld.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

let port: number;

beforeAll(async () => {
  await liftAddressLimits();
  port = await listen(gateway);
});

/** Far enough that every window of an earlier test has ended. */
beforeEach(() => gateway.clock.advance(3_700_000));

const LIVE = { 'x-watchword-mode': 'live' };
const TEST = { 'x-watchword-mode': 'test' };
const SEND = { phone_number: '+2348031234567' };

const refusal = ({ status, body }: Answer) => [status, body.error?.type, body.error?.field];
const NO_SESSION = [401, 'authentication_error', undefined];
const FORGED = [403, 'permission_error', 'X-CSRF-Token'];
const FORBIDDEN = [403, 'permission_error', undefined];

const sent = () => gateway.billing.commands.size;
const send = (person: Person, headers: object = LIVE, body: object = SEND) =>
  person.call('POST', '/v1/otp/send', body, headers);

const suspend = (workspaceId: string, suspended = true) =>
  gateway.operator('PATCH', `/workspaces/${workspaceId}`, { suspended, reason: 'Fraud report 7' });

describe('a page of another site', () => {
  const forms = [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'text/plain',
  ];

  it.each(forms)('a form as %s sends nothing with the cookie of a member', async (type) => {
    const before = sent();
    const { ip, cookie } = await newOwner(gateway);
    const answer = await gateway.call({
      method: 'POST',
      url: '/v1/otp/send',
      headers: { cookie, 'x-forwarded-for': ip, 'content-type': type, origin: 'https://evil.test' },
      payload: 'phone_number=%2B2348031234567',
    });
    expect(refusal(answer)).toEqual(NO_SESSION);
    expect(sent()).toBe(before);
  });

  it('no route lets a browser call it from another site', async () => {
    const answer = await gateway.call({
      method: 'OPTIONS',
      url: '/v1/otp/send',
      headers: {
        origin: 'https://evil.test',
        'access-control-request-headers': 'x-watchword-mode',
      },
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-'))).toEqual([]);
  });

  it('a change needs the CSRF token of this very session', async () => {
    const [own, foreign] = [await newOwner(gateway), await newOwner(gateway)];
    const before = sent();
    for (const token of ['', 'forged', foreign.csrfToken, `${own.csrfToken},${own.csrfToken}`]) {
      expect(refusal(await send(own, { ...LIVE, 'x-csrf-token': token }))).toEqual(FORGED);
    }
    for (const [method, path] of [
      ['POST', `/v1/sms/${newId()}/cancel`],
      ['PATCH', `/v1/webhooks/${newId()}`],
      ['DELETE', `/v1/domains/${newId()}`],
    ] as const) {
      const answer = await own.call(method, path, {}, { ...LIVE, 'x-csrf-token': 'forged' });
      expect([path, ...refusal(answer)]).toEqual([path, ...FORGED]);
    }
    expect(sent()).toBe(before);
  });
});

describe('the mode of a session', () => {
  it('is required, in one spelling, once', async () => {
    const own = await newOwner(gateway);
    const read = (mode: string) =>
      own.call('GET', '/v1/balance', undefined, { 'x-watchword-mode': mode });
    for (const mode of ['', 'LIVE', 'both', 'live,test', 'live, live']) {
      expect(refusal(await read(mode))).toEqual([400, 'validation_error', 'X-Watchword-Mode']);
    }
    expect(refusal(await own.call('GET', '/v1/balance'))).toEqual(NO_SESSION);
    const spelled = await own.call('GET', '/v1/balance', undefined, { 'X-WATCHWORD-MODE': 'test' });
    expect(spelled.body).toMatchObject({ workspace_id: own.workspaceId });
    expect(spelled.headers['cache-control']).toBe('no-store');
    const csv = await own.call('GET', '/v1/ledger', undefined, { ...LIVE, accept: 'text/csv' });
    expect([csv.status, csv.headers['cache-control']]).toEqual([200, 'no-store']);
  });

  it('decides which mode a send has', async () => {
    const own = await newOwner(gateway);
    const { body } = await send(own, TEST);
    expect(gateway.billing.commands.get(body.id)).toMatchObject({
      workspace_id: own.workspaceId,
      test_mode: true,
    });
  });

  it('does not help beside an Authorization header, which alone counts', async () => {
    const [own, { live_key: key, workspace_id: id }] = [
      await newOwner(gateway),
      await gateway.newWorkspace(),
    ];
    const read = (authorization: string) =>
      own.call('GET', '/v1/balance', undefined, { ...LIVE, authorization });
    expect((await read(`Bearer ${key}`)).body.workspace_id).toBe(id);
    for (const wrong of ['', 'Bearer', 'Bearer sk_live_unknown', 'Basic YTpi']) {
      expect(refusal(await read(wrong))).toEqual(NO_SESSION);
    }
  });

  it('opens neither the Twilio routes nor the agent endpoint', async () => {
    const own = await newOwner(gateway);
    expect((await own.call('POST', '/mcp', {}, LIVE)).status).toBe(401);
    expect((await own.call('GET', '/twilio/v2/Services', undefined, LIVE)).status).toBe(401);
  });
});

describe('a session that has no right here', () => {
  it('reaches its own workspace only, an operator’s too', async () => {
    const [own, operator] = [await newOwner(gateway), await newOperatorUser(gateway)];
    const names = { 'x-workspace-id': own.workspaceId, 'x-watchword-workspace': own.workspaceId };
    const read = await operator.call('GET', '/v1/balance', undefined, { ...LIVE, ...names });
    expect(read.body.workspace_id).toBe(operator.workspaceId);
    const { body } = await send(operator, { ...TEST, ...names });
    expect(gateway.billing.commands.get(body.id)?.workspace_id).toBe(operator.workspaceId);
  });

  it('ends with the membership', async () => {
    const own = await newOwner(gateway);
    const member = await memberOf(gateway, own);
    expect((await send(member, TEST)).status).toBe(200);
    const { body } = await member.call('GET', '/auth/me');
    await dashboard(own, 'DELETE', `members/${body.user.user_id}?keys=keep`);
    expect(refusal(await send(member, TEST))).toEqual(NO_SESSION);
  });

  it('sends and reads nothing while the workspace is suspended', async () => {
    const own = await newOwner(gateway);
    await suspend(own.workspaceId);
    expect(refusal(await send(own, TEST))).toEqual(FORBIDDEN);
    expect(refusal(await own.call('GET', '/v1/balance', undefined, LIVE))).toEqual(FORBIDDEN);
    await suspend(own.workspaceId, false);
    expect((await send(own, TEST)).status).toBe(200);
  });

  const cases: [
    what: string,
    end: (own: Person & { workspaceId: string }) => unknown,
    status: number,
  ][] = [
    ['the session has ended', (own) => own.call('POST', '/auth/logout', {}), 401],
    ['the workspace is suspended', (own) => suspend(own.workspaceId), 403],
  ];
  it.each(cases)(
    'sends nothing with a last byte withheld until %s, and is on record',
    async (_, end, status) => {
      const own = await newOwner(gateway);
      const before = sent();
      const headers = { cookie: own.cookie, 'x-csrf-token': own.csrfToken, ...TEST };
      const held = await withhold(gateway, port, {
        method: 'POST',
        path: '/v1/otp/send',
        headers,
        body: SEND,
      });
      await end(own);
      expect((await held.release()).status).toBe(status);
      expect(sent()).toBe(before);
      const { body } = await gateway.operator(
        'GET',
        `/audit?workspace_id=${own.workspaceId}&limit=5`,
      );
      expect(body.data).toContainEqual(expect.objectContaining({ path: '/v1/otp/send', status }));
    },
  );
});

describe('what a session’s call counts for', () => {
  it('forged calls and wrong modes use up the limit of the address', async () => {
    await gateway.operator('PATCH', '/settings', { limits: { ip_authenticated_per_minute: 3 } });
    try {
      const own = await newOwner(gateway);
      const from = (headers: object) => {
        const ip = { 'x-forwarded-for': freshIp() };
        return async () => (await send(own, { ...LIVE, ...headers, ...ip })).status;
      };
      for (const [headers, status] of [
        [{ 'x-csrf-token': 'forged' }, 403],
        [{ 'x-watchword-mode': 'both' }, 400],
      ] as const) {
        const call = from(headers);
        expect([await call(), await call(), await call(), await call()]).toEqual([
          status,
          status,
          status,
          429,
        ]);
      }
    } finally {
      await liftAddressLimits();
    }
  });

  it('shares the limits of the workspace with its keys, and each member has a limit as a key has', async () => {
    const own = await newOwner(gateway);
    const member = await memberOf(gateway, own);
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'test' });
    const limits = { key_per_minute: 2, workspace_per_minute: 4 };
    await gateway.operator('PATCH', `/workspaces/${own.workspaceId}`, { settings: { limits } });
    const read = (person: Person) => person.call('GET', '/v1/ledger', undefined, TEST);
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await read(own)).status);
    for (let call = 0; call < 2; call += 1) statuses.push((await read(member)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200]);
    expect((await gateway.get('/v1/ledger', key.key)).status).toBe(429);
    expect((await own.call('GET', '/v1/ledger', undefined, LIVE)).status).toBe(429);
  });

  it('an Idempotency-Key is of the workspace and the mode, with a session as with a key', async () => {
    const [own, foreign] = [await newOwner(gateway), await newOwner(gateway)];
    const { body: key } = await dashboard(own, 'POST', 'keys', { mode: 'test' });
    const once = { 'idempotency-key': newId() };
    const first = await send(own, { ...TEST, ...once });
    const again = await gateway.post('/v1/otp/send', key.key, SEND, once);
    expect([again.body.id, again.headers['idempotent-replayed']]).toEqual([first.body.id, 'true']);
    const other = await send(own, { ...TEST, ...once }, { phone_number: '+2348031234568' });
    expect(refusal(other)).toEqual([409, 'idempotency_conflict', undefined]);
    expect((await send(foreign, { ...TEST, ...once })).body.id).not.toBe(first.body.id);
  });

  it('a change is on record under the member, and a read is not', async () => {
    const own = await newOwner(gateway);
    const path = `/v1/otp/${newId()}/cancel`;
    await own.call('GET', '/v1/balance', undefined, LIVE);
    expect((await own.call('POST', path, {}, LIVE)).status).toBe(404);
    expect(
      (await own.call('DELETE', '/v1/suppressions/ada@example.com', undefined, LIVE)).status,
    ).toBeLessThan(500);
    const { body } = await dashboard(own, 'GET', 'audit');
    const actor = { type: 'user', email: own.email };
    expect(body.data.slice(0, 2)).toMatchObject([
      { actor, method: 'DELETE', path: '/v1/suppressions/:address' },
      { actor, method: 'POST', path, status: 404 },
    ]);
    expect(body.data.some(({ method }: { method: string }) => method === 'GET')).toBe(false);
  });
});
