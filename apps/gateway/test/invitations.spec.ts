/** Invitations to a workspace: decisions 28. */
import { describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import type { Answer } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, memberOf, newOwner, Person } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

const DAY_MS = 24 * 60 * 60 * 1_000;
const REFUSED = [
  400,
  {
    type: 'validation_error',
    field: 'invitation_token',
    message: 'invitation_token is no open invitation of this address. Ask for a new one.',
  },
];
const errorOf = ({ status, body }: Answer) => {
  const { request_id: _, doc_url: __, ...error } = body.error ?? {};
  return [status, error];
};

async function invite(inviter: Person, email: string, role = 'owner') {
  const { status, body } = await dashboard(inviter, 'POST', 'members', { email, role });
  expect(status).toBe(201);
  return { id: body.id as string, with: { invitation_token: body.invitation_token as string } };
}

const idOf = async (person: Person) => (await person.call('GET', '/auth/me')).body.user.user_id;

const remove = async (actor: Person, person: Person) =>
  dashboard(actor, 'DELETE', `members/${await idOf(person)}`);

describe('an owner', () => {
  it('an owner neither sees nor withdraws invitations of another workspace or unknown ones', async () => {
    const [owner, other] = [await newOwner(gateway), await newOwner(gateway)];
    const guest = new Person(gateway);
    const theirs = await invite(other, guest.email);
    for (const id of [theirs.id, newId(), 'x']) {
      const { status, body } = await dashboard(owner, 'DELETE', `invitations/${id}`);
      expect([status, body.error.type]).toEqual([404, 'not_found']);
    }
    expect((await dashboard(owner, 'GET', 'invitations')).body.data).toEqual([]);
    expect((await guest.signUp(theirs.with)).status).toBe(200);
  });

  it('decisions 28: a workspace makes at most 50 invitations a UTC day; refused requests do not count', async () => {
    const [owner, other] = [await newOwner(gateway), await newOwner(gateway)];
    const ask = (email: string) => dashboard(owner, 'POST', 'members', { email });
    expect((await ask('no address')).status).toBe(400);
    for (let made = 0; made < 50; made += 1) await invite(owner, `${made}@example.com`);
    const refused = await ask('51@example.com');
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limited']);
    const midnightMs = DAY_MS - (gateway.clock.now() % DAY_MS);
    expect(Number(refused.headers['retry-after'])).toBe(Math.ceil(midnightMs / 1_000));
    await invite(other, 'ada@example.com');
  });
});

describe('an invitation', () => {
  it('an invitation replaces the open one of the address, in any spelling', async () => {
    const owner = await newOwner(gateway);
    const guest = new Person(gateway, `ada.${newId()}@bücher.example`);
    const first = await invite(owner, guest.email, 'owner');
    const second = await invite(owner, guest.email.toUpperCase(), 'member');
    const { body } = await dashboard(owner, 'GET', 'invitations');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    expect(errorOf(await guest.signUp(first.with))).toEqual(REFUSED);
    expect((await guest.signUp(second.with)).body.user.role).toBe('member');
  });

  it('a used, expired or unknown invitation is refused with the same words', async () => {
    const owner = await newOwner(gateway);
    const guest = new Person(gateway);
    const used = await invite(owner, guest.email);
    expect((await guest.signUp(used.with)).status).toBe(200);
    const expired = await invite(owner, guest.email);
    gateway.clock.advance(7 * DAY_MS);
    await owner.logIn();
    expect((await dashboard(owner, 'GET', 'invitations')).body.data).toEqual([]);
    for (const token of [used.with, expired.with, { invitation_token: 'x' }]) {
      expect(errorOf(await guest.logIn(token))).toEqual(REFUSED);
      expect(errorOf(await guest.signUp(token))).toEqual(REFUSED);
    }
  });

  it('an invitation ends when the member of its address is removed', async () => {
    const owner = await newOwner(gateway);
    const guest = new Person(gateway);
    const [member, third] = [await memberOf(gateway, owner), await memberOf(gateway, owner)];
    const [again, other] = [
      await invite(owner, member.email.toUpperCase()),
      await invite(owner, guest.email),
    ];
    expect((await remove(owner, member)).status).toBe(204);
    expect(errorOf(await member.logIn(again.with))).toEqual(REFUSED);
    expect((await guest.signUp(other.with)).status).toBe(200);
    const own = await invite(owner, third.email);
    expect((await remove(third, third)).status).toBe(204);
    expect(errorOf(await third.logIn(own.with))).toEqual(REFUSED);
  });
});

describe('members', () => {
  it('removed members do not come back by an invitation that they made before', async () => {
    const owner = await newOwner(gateway);
    const second = await memberOf(gateway, owner, 'owner');
    const [guest, other] = [new Person(gateway), new Person(gateway)];
    const [itself, theirs, ours] = [
      await invite(second, second.email),
      await invite(second, guest.email),
      await invite(owner, other.email),
    ];
    expect((await remove(owner, second)).status).toBe(204);
    expect(errorOf(await second.logIn(itself.with))).toEqual(REFUSED);
    expect(errorOf(await guest.signUp(theirs.with))).toEqual(REFUSED);
    expect((await other.signUp(ours.with)).status).toBe(200);

    // Nor when another owner takes them back.
    const back = await invite(owner, second.email);
    expect((await second.logIn(back.with)).status).toBe(200);
    expect(errorOf(await guest.signUp(theirs.with))).toEqual(REFUSED);
  });
});
