import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { RATE_LIMITER } from '../src/limits/limits.js';
import { OPERATOR_TOKEN, type TestGateway } from './gateway.kit.js';
import { gateway, liftAddressLimits, useGateway } from './one-gateway.kit.js';
import { dashboard, memberOf, newOperatorUser, newOwner, PASSWORD, Person } from './person.kit.js';
import { statementsOf } from './statements.kit.js';
import { listen, type Request, send, withhold } from './withheld.kit.js';

let port: number;

useGateway({ TRUSTED_PROXIES: '1' });

beforeAll(async () => {
  await liftAddressLimits();
  port = await listen(gateway);
});

const NEW_KEY = { method: 'POST', path: '/dashboard/keys', body: { mode: 'live' } };

const as = (person: Person, request: Omit<Request, 'headers'>): Request => ({
  ...request,
  headers: { cookie: person.cookie, 'x-csrf-token': person.csrfToken },
});

const sendOf = (key: string): Request => ({
  method: 'POST',
  path: '/v1/otp/send',
  headers: { authorization: `Bearer ${key}` },
  body: { phone_number: '+2348031234567' },
});

const sends = ({ billing }: TestGateway) => billing.commands.size;

const keysOf = async (person: Person) =>
  (await dashboard(person, 'GET', 'keys')).body.data as { key_id: string }[];

describe('a send that withholds its last byte', () => {
  it('goes on with its key, and is counted once', async () => {
    const { live_key } = await gateway.newWorkspace();
    const take = jest.spyOn(gateway.app.get(RATE_LIMITER, { strict: false }), 'take');
    const held = await withhold(gateway, port, sendOf(live_key));
    expect((await held.release()).status).toBe(200);
    const keys = take.mock.calls.flatMap(([counters]) => counters as { key: string }[]);
    take.mockRestore();
    expect(keys.filter(({ key }) => key.startsWith('ip:live:'))).toHaveLength(1);
  });

  it('is refused once the key is deleted, as the next request is', async () => {
    const owner = await newOwner(gateway);
    const { body: key } = await dashboard(owner, 'POST', 'keys', { mode: 'test' });
    const held = await withhold(gateway, port, sendOf(key.key));
    const before = sends(gateway);
    expect((await dashboard(owner, 'DELETE', `keys/${key.key_id}`)).status).toBe(204);
    const next = await gateway.post('/v1/otp/send', key.key, {});
    const { status, body } = await held.release();
    expect(status).toBe(401);
    const requestId = expect.any(String);
    expect(body).toEqual({ error: { ...next.body.error, request_id: requestId } });
    expect(sends(gateway)).toBe(before);
  });

  it('is refused once the workspace is suspended, in its language', async () => {
    const { workspace_id, live_key } = await gateway.newWorkspace({ default_language: 'fr' });
    const held = await withhold(gateway, port, sendOf(live_key));
    const before = sends(gateway);
    const suspension = { suspended: true, reason: 'Fraud report 7' };
    await gateway.operator('PATCH', `/workspaces/${workspace_id}`, suspension);
    const next = await gateway.post('/v1/otp/send', live_key, {});
    const { status, body } = await held.release();
    expect([status, body.error.message]).toEqual([403, next.body.error.message]);
    expect(sends(gateway)).toBe(before);
  });
});

describe('a call with a session that withholds its last byte', () => {
  it('goes on with its session', async () => {
    const owner = await newOwner(gateway);
    const held = await withhold(gateway, port, as(owner, NEW_KEY));
    expect((await held.release()).status).toBe(201);
  });

  it('makes no key once the password is changed, and is on record', async () => {
    const owner = await newOwner(gateway);
    const other = new Person(gateway, owner.email);
    await other.logIn();
    const before = await keysOf(owner);
    const held = await withhold(gateway, port, as(other, NEW_KEY));
    const passwords = { current_password: PASSWORD, new_password: 'staple battery horse' };
    expect((await owner.call('POST', '/auth/password', passwords)).status).toBe(204);
    const { status, body } = await held.release();
    expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    expect(await keysOf(owner)).toEqual(before);
    const audit = await dashboard(owner, 'GET', 'audit');
    expect(audit.body.data[0]).toMatchObject({ path: '/dashboard/keys', status: 401 });
  });

  it('makes no key once the member is removed', async () => {
    const owner = await newOwner(gateway);
    const member = await memberOf(gateway, owner, 'owner');
    const before = await keysOf(owner);
    const { body } = await member.call('GET', '/auth/me');
    const held = await withhold(gateway, port, as(member, NEW_KEY));
    const removed = await dashboard(owner, 'DELETE', `members/${body.user.user_id}`);
    expect(removed.status).toBe(204);
    expect((await held.release()).status).toBe(401);
    expect(await keysOf(owner)).toEqual(before);
  });
});

describe('a call of an operator that withholds its last byte', () => {
  it('does not appoint who was dismissed', async () => {
    const operator = await newOperatorUser(gateway);
    const path = `/operator/v1/users/${operator.userId}/operator`;
    const held = await withhold(gateway, port, as(operator, { method: 'PUT', path }));
    await gateway.operator('DELETE', `/users/${operator.userId}/operator`);
    const { status, body } = await held.release();
    expect([status, body.error.type]).toEqual([401, 'authentication_error']);
    expect((await operator.call('GET', '/operator/v1/workspaces')).status).toBe(401);
  });

  it('goes on with the token of the platform', async () => {
    const { userId } = await newOperatorUser(gateway);
    const held = await withhold(gateway, port, {
      method: 'PUT',
      path: `/operator/v1/users/${userId}/operator`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect((await held.release()).status).toBe(200);
  });
});

describe('a body that comes with its headers', () => {
  it('costs no second look-up of the key', async () => {
    const { live_key } = await gateway.newWorkspace();
    const statements = await statementsOf(gateway, async () => {
      expect((await send(port, sendOf(live_key))).status).toBe(200);
    });
    expect(statements.filter((text) => text.includes('FROM api_keys'))).toHaveLength(1);
  });

  it('costs no second look at the session', async () => {
    const owner = await newOwner(gateway);
    const statements = await statementsOf(gateway, async () => {
      expect((await send(port, as(owner, NEW_KEY))).status).toBe(201);
    });
    expect(statements.filter((text) => text.includes('FROM sessions AS session'))).toHaveLength(1);
  });
});
