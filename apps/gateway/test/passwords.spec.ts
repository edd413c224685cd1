import { describe, expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '../src/people/password-hasher.js';
import type { Answer } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';
import { newOwner, PASSWORD, Person } from './person.kit.js';
import { statementsOf } from './statements.kit.js';

const NEW_PASSWORD = 'staple battery horse';

useGateway({ TRUSTED_PROXIES: '1' });

const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.field];

async function newMember(owner: Person, role = 'member'): Promise<Person & { userId: string }> {
  const person = new Person(gateway);
  const invited = await owner.call('POST', '/dashboard/members', { email: person.email, role });
  const { invitation_token } = invited.body;
  const { status, body } = await person.signUp({ invitation_token });
  expect(status).toBe(200);
  return Object.assign(person, { userId: body.user.user_id as string });
}

describe('POST /auth/password', () => {
  const change = (person: Person, body: object = {}, headers = {}) => {
    const passwords = { current_password: PASSWORD, new_password: NEW_PASSWORD, ...body };
    return person.call('POST', '/auth/password', passwords, headers);
  };

  it('sets it, ends the other sessions, and keeps this one', async () => {
    const owner = await newOwner(gateway);
    const other = new Person(gateway, owner.email);
    expect((await other.logIn()).status).toBe(200);
    expect((await change(owner)).status).toBe(204);
    expect((await owner.call('GET', '/auth/me')).status).toBe(200);
    expect((await other.call('GET', '/auth/me')).status).toBe(401);
    expect((await other.logIn()).status).toBe(401);
    expect((await other.logIn({ password: NEW_PASSWORD })).status).toBe(200);
    const audit = await owner.call('GET', '/dashboard/audit');
    expect(audit.body.data).toContainEqual(
      expect.objectContaining({ path: '/auth/password', status: 204 }),
    );
  });
});

const redeem = (body: object) =>
  new Person(gateway).call('POST', '/auth/password/reset', { new_password: NEW_PASSWORD, ...body });

async function issue(owner: Person) {
  const found = await gateway.operator('GET', `/users?email=${owner.email.toUpperCase()}`);
  const [user] = found.body.data;
  const reset = await gateway.operator('POST', `/users/${user.user_id}/password-reset`);
  expect(reset.status).toBe(201);
  return reset.body as { reset_token: string; email: string };
}

describe('a password reset', () => {
  it('by an operator sets a new password once and ends every session', async () => {
    const owner = await newOwner(gateway);
    const { reset_token } = await issue(owner);
    const common = await redeem({ reset_token, new_password: 'passwordpassword' });
    expect(errorOf(common)).toEqual([400, 'validation_error', 'new_password']);
    const redeemed = await Promise.all([redeem({ reset_token }), redeem({ reset_token })]);
    expect(redeemed.map(({ status }) => status).toSorted()).toEqual([204, 400]);
    expect(errorOf(await redeem({ reset_token }))).toEqual([
      400,
      'validation_error',
      'reset_token',
    ]);
    expect((await owner.call('GET', '/auth/me')).status).toBe(401);
    expect((await owner.logIn()).status).toBe(401);
    expect((await owner.logIn({ password: NEW_PASSWORD })).status).toBe(200);
  });
});

describe('a client that always fails', () => {
  it('decisions 24: locks out no device that logged in before', async () => {
    const owner = await newOwner(gateway);
    expect(owner.device).not.toBe('');
    for (let failed = 0; failed < 8; failed += 1) {
      await new Person(gateway, owner.email).logIn({ password: 'not that one' });
    }
    expect((await new Person(gateway, owner.email).logIn()).status).toBe(429);
    expect((await owner.logIn()).status).toBe(200);
    const neighbour = Object.assign(new Person(gateway), { ip: owner.ip });
    for (let failed = 0; failed < 6; failed += 1) await neighbour.logIn();
    expect((await owner.logIn()).status).toBe(200);
  });
});

/** Runs `meanwhile` after the next comparison of a password and before the next step. */
function afterComparison(meanwhile: () => Promise<unknown>): void {
  const hasher = gateway.app.get(PasswordHasher);
  const matches = hasher.matches.bind(hasher);
  hasher.matches = async (...given) => {
    hasher.matches = matches;
    const isRight = await matches(...given);
    await meanwhile();
    return isRight;
  };
}

describe('a log-in', () => {
  it.each(['a new', 'a known'])(
    'from %s device does not outlive a reset that came after its comparison',
    async (device) => {
      const owner = await newOwner(gateway);
      const { reset_token } = await issue(owner);
      const late = device === 'a known' ? owner : new Person(gateway, owner.email);
      afterComparison(async () => {
        expect((await redeem({ reset_token })).status).toBe(204);
      });
      expect(errorOf(await late.logIn())).toEqual([401, 'authentication_error', undefined]);
      const counts = `SELECT (SELECT count(*)::int FROM sessions JOIN memberships m
          ON m.id = membership_id JOIN users u ON u.id = m.user_id WHERE u.email = $1) AS sessions,
        (SELECT count(*)::int FROM devices JOIN users u ON u.id = user_id WHERE u.email = $1) AS devices`;
      const { rows } = await gateway.database.pool.query(counts, [owner.email]);
      expect(rows).toEqual([{ sessions: 0, devices: 0 }]);
      expect((await late.logIn({ password: NEW_PASSWORD })).status).toBe(200);
    },
  );

  it('decisions 24: a log-in does the same work for a known and for an unknown address', async () => {
    const owner = await newOwner(gateway);
    const workOf = (email: string) =>
      statementsOf(gateway, async () => {
        const { status } = await new Person(gateway, email).logIn({ password: 'not that one' });
        expect(status).toBe(401);
      });
    const comparisons = jest.spyOn(gateway.app.get(PasswordHasher), 'matches');
    const known = await workOf(owner.email);
    expect(known.length).toBeGreaterThan(0);
    expect(comparisons).toHaveBeenCalledTimes(1);
    expect(await workOf('nobody@example.com')).toEqual(known);
    expect(comparisons).toHaveBeenCalledTimes(2);
    comparisons.mockRestore();
  });
});

describe('a logout', () => {
  it('decisions 24: asks for the CSRF token, and for its own origin when one is sent', async () => {
    const owner = await newOwner(gateway);
    const out = (headers: object) => owner.call('POST', '/auth/logout', undefined, headers);
    const forged = await out({ 'x-csrf-token': '' });
    expect(errorOf(forged)).toEqual([403, 'permission_error', 'X-CSRF-Token']);
    for (const origin of ['https://evil.example', 'null', 'http://sms.example.com.evil.example']) {
      const answer = await out({ origin, host: 'sms.example.com' });
      expect(errorOf(answer)).toEqual([403, 'permission_error', 'Origin']);
    }
    expect((await owner.call('GET', '/auth/me')).status).toBe(200);
    const host = 'internal:8080';
    const forwarded = { 'x-forwarded-host': 'sms.example.com', host };
    expect((await out({ origin: 'https://sms.example.com', ...forwarded })).status).toBe(204);
    expect((await owner.call('GET', '/auth/me')).status).toBe(401);
  });
});

describe('DELETE /dashboard/members/{id}', () => {
  const remove = (actor: Person, id: string) => actor.call('DELETE', `/dashboard/members/${id}`);
  const idOf = async (person: Person) =>
    (await person.call('GET', '/auth/me')).body.user.user_id as string;

  it('decisions 24: the last owner of a workspace is never removed, also when two remove each other', async () => {
    const owner = await newOwner(gateway);
    expect(errorOf(await remove(owner, await idOf(owner)))).toEqual([409, 'conflict', undefined]);
    const second = await newMember(owner, 'owner');
    const ownerId = await idOf(owner);
    const answers = await Promise.all([remove(owner, second.userId), remove(second, ownerId)]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const outsider = await newOwner(gateway);
    expect((await remove(outsider, ownerId)).status).toBe(404);
    expect((await remove(outsider, 'x')).status).toBe(404);
  });
});
