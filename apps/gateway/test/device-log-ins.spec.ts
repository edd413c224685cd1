/** `watchword login`: a program without a browser gets a key that a member confirms (RFC 8628). */
import { describe, expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, freshIp, memberOf, newOwner, type Person } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

const MINUTE_MS = 60 * 1_000;
const UNKNOWN = { type: 'validation_error', field: 'user_code' };

const post = (url: string, payload: object, ip = freshIp()) =>
  gateway.call({ method: 'POST', url, headers: { 'x-forwarded-for': ip }, payload });

async function start(client_name = 'watchword on ada-laptop', ip = freshIp()) {
  const { status, body } = await post('/auth/device', { client_name }, ip);
  expect(status).toBe(200);
  return body as { device_code: string; user_code: string; verification_uri_complete: string };
}

const poll = async (device_code: string) =>
  (await post('/auth/device/token', { device_code })).body as { status: string; key?: string };

const approve = (person: Person, user_code: string, body: object = { mode: 'test' }) =>
  dashboard(person, 'POST', 'device-logins/approve', { user_code, ...body });

const deny = (person: Person, user_code: string) =>
  dashboard(person, 'POST', 'device-logins/deny', { user_code });

const show = (person: Person, user_code: string) =>
  dashboard(person, 'GET', `device-logins?user_code=${encodeURIComponent(user_code)}`);

const keysOf = async (person: Person) => (await dashboard(person, 'GET', 'keys')).body.data;

describe('a device log-in', () => {
  it('hands the key out once, to the program that started it', async () => {
    const owner = await newOwner(gateway);
    const { device_code, user_code, verification_uri_complete } = await start();
    expect(user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(verification_uri_complete).toContain(`/app#/device/${user_code}`);
    expect(await poll(device_code)).toEqual({ status: 'authorization_pending' });
    const shown = await show(owner, user_code.toLowerCase().replace('-', ' '));
    expect(shown.body).toMatchObject({ user_code, client_name: 'watchword on ada-laptop' });
    expect((await approve(owner, user_code, { mode: 'test', permission: 'otp' })).status).toBe(204);

    const done = await poll(device_code);
    expect(done).toMatchObject({ status: 'approved', mode: 'test', permission: 'otp' });
    expect(done.key).toMatch(/^svc_test_/);
    expect(await poll(device_code)).toEqual({ status: 'expired_token' });
    const keys = await keysOf(owner);
    expect(keys).toMatchObject([
      { name: 'watchword on ada-laptop', permission: 'otp', created_by: { email: owner.email } },
    ]);

    const { body } = await dashboard(owner, 'GET', 'audit');
    const of = (path: string) => body.data.find((each: { path: string }) => each.path === path);
    expect(of('/auth/device/token')).toMatchObject({ effect: { key_id: keys[0].key_id } });
    expect(of('/dashboard/device-logins/approve')).toMatchObject({ effect: { mode: 'test' } });

    expect((await dashboard(owner, 'DELETE', `keys/${keys[0].key_id}`)).status).toBe(204);
    const headers = { authorization: `Bearer ${done.key}` };
    const call = { method: 'POST', url: '/v1/otp/send', headers, payload: {} } as const;
    expect((await gateway.call(call)).status).toBe(401);
  });

  it('two polls at the same time make one key', async () => {
    const owner = await newOwner(gateway);
    const { device_code, user_code } = await start();
    await approve(owner, user_code);
    const answers = await Promise.all([poll(device_code), poll(device_code), poll(device_code)]);
    expect(answers.filter(({ key }) => key !== undefined)).toHaveLength(1);
    expect(await keysOf(owner)).toHaveLength(1);
  });

  it('polls within the interval are answered with slow_down', async () => {
    const { device_code } = await start();
    expect((await poll(device_code)).status).toBe('authorization_pending');
    gateway.clock.advance(4_999);
    expect((await poll(device_code)).status).toBe('slow_down');
    gateway.clock.advance(5_000);
    expect((await poll(device_code)).status).toBe('authorization_pending');
  });

  it('a denied log-in makes no key, and cannot be approved afterwards', async () => {
    const owner = await newOwner(gateway);
    const { device_code, user_code } = await start();
    expect((await deny(owner, user_code)).status).toBe(204);
    expect((await approve(owner, user_code)).body.error).toMatchObject(UNKNOWN);
    expect(await poll(device_code)).toEqual({ status: 'access_denied' });
    expect(await keysOf(owner)).toEqual([]);
  });

  it('expires after ten minutes, approved or not', async () => {
    const owner = await newOwner(gateway);
    const [waiting, approved] = [await start(), await start()];
    await approve(owner, approved.user_code);
    gateway.clock.advance(10 * MINUTE_MS);
    expect(await poll(waiting.device_code)).toEqual({ status: 'expired_token' });
    expect(await poll(approved.device_code)).toEqual({ status: 'expired_token' });
    expect((await show(owner, waiting.user_code)).body.error).toMatchObject(UNKNOWN);
    expect((await approve(owner, waiting.user_code)).status).toBe(400);
    expect(await keysOf(owner)).toEqual([]);
  });

  it('a member who has left before the poll gives no key', async () => {
    const owner = await newOwner(gateway);
    const member = await memberOf(gateway, owner);
    const { device_code, user_code } = await start();
    expect((await approve(member, user_code)).status).toBe(204);
    const { body } = await member.call('GET', '/auth/me');
    await dashboard(owner, 'DELETE', `members/${body.user.user_id}`);
    expect(await poll(device_code)).toEqual({ status: 'access_denied' });
    expect(await keysOf(owner)).toEqual([]);
  });
});

describe('an attacker', () => {
  it('a member of another workspace neither sees nor changes an approved log-in', async () => {
    const [owner, other] = [await newOwner(gateway), await newOwner(gateway)];
    const { device_code, user_code } = await start();
    await approve(owner, user_code);
    for (const attempt of [show, approve, deny]) {
      expect((await attempt(other, user_code)).body.error).toMatchObject(UNKNOWN);
    }
    expect((await poll(device_code)).status).toBe('approved');
    expect([(await keysOf(owner)).length, await keysOf(other)]).toEqual([1, []]);
  });

  it('guesses at most ten user codes a minute', async () => {
    const [owner, other] = [await newOwner(gateway), await newOwner(gateway)];
    const { user_code } = await start();
    for (let guess = 0; guess < 10; guess += 1) {
      expect((await show(other, 'BBBB-BBBB')).status).toBe(400);
    }
    for (const attempt of [show, approve, deny]) {
      expect((await attempt(other, user_code)).status).toBe(429);
    }
    expect((await show(owner, user_code)).status).toBe(200);
  });

  it('starts at most 20 log-ins an hour from one address', async () => {
    const ip = freshIp();
    for (let started = 0; started < 20; started += 1) await start('x', ip);
    const refused = await post('/auth/device', { client_name: 'x' }, ip);
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limit_exceeded']);
    gateway.clock.advance(60 * MINUTE_MS);
    await start('x', ip);
  });

  it('needs a session and its CSRF token to approve', async () => {
    const owner = await newOwner(gateway);
    const { device_code, user_code } = await start();
    const payload = { user_code, mode: 'live' };
    expect((await post('/dashboard/device-logins/approve', payload)).status).toBe(401);
    owner.csrfToken = '';
    expect((await approve(owner, user_code)).status).toBe(403);
    expect((await poll(device_code)).status).toBe('authorization_pending');
  });

  it.each([
    [{ client_name: '' }, 'client_name'],
    [{ client_name: 'a\u0000b' }, 'client_name'],
    [{ client_name: 'x'.repeat(65) }, 'client_name'],
    [{}, 'client_name'],
  ])('a start with %j is refused', async (body, field) => {
    const { status, body: answer } = await post('/auth/device', body);
    expect([status, answer.error.field]).toEqual([400, field]);
  });

  it.each(['x', 'x'.repeat(43)])('the device code %j has no log-in', async (code) => {
    expect(await poll(code)).toEqual({ status: 'expired_token' });
  });

  it.each(['\u0000', 'BCDF', 'ÄÖÜß'])('the user code %j waits for nothing', async (code) => {
    const owner = await newOwner(gateway);
    const { status } = await approve(owner, code);
    expect(status).toBe(400);
  });
});
