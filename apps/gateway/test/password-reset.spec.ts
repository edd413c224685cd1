/** A password reset by email: decisions 24. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, type MailingGateway, NEW_PASSWORD, openMailing } from './account-emails.kit.js';
import { type Answer } from './gateway.kit.js';
import { newOwner, Person } from './person.kit.js';
import { statementsOf } from './statements.kit.js';
let gateway: MailingGateway;

beforeAll(async () => (gateway = await openMailing()));
afterAll(() => gateway.close());
afterEach(() => gateway.mail());

/** Returns a user after the confirmation email is sent. */
async function newUser() {
  const owner = await newOwner(gateway);
  await gateway.mail();
  return owner;
}

describe('a reset by the owner of an address that another person signed up with', () => {
  async function founded() {
    const outsider = await newUser();
    const { body: key } = await outsider.call('POST', '/dashboard/keys', { mode: 'live' });
    const second = new Person(gateway);
    const invite = { email: second.email, role: 'owner' };
    const invited = await outsider.call('POST', '/dashboard/members', invite);
    const third = new Person(gateway);
    const open = await outsider.call('POST', '/dashboard/members', {
      ...invite,
      email: third.email,
    });
    await second.signUp({ invitation_token: invited.body.invitation_token });
    await gateway.mail();
    await gateway.forgot(outsider);
    const [email] = await gateway.mail();
    const token = email!.token;
    const reset = (own: object) =>
      new Person(gateway).call('POST', '/auth/password/reset', {
        ...{ reset_token: token, new_password: NEW_PASSWORD },
        ...own,
      });
    const join = () => third.signUp({ invitation_token: open.body.invitation_token });
    return { outsider, second, key: key.key as string, token, reset, join };
  }
  const statusOf = async (key: string) => (await gateway.get('/v1/balance', key)).status;

  it('decisions 24: revokes the keys of that workspace, its sessions and its invitations on request', async () => {
    const { outsider, second, key, token, reset, join } = await founded();
    const other = await newOwner(gateway);
    const { body: kept } = await other.call('POST', '/dashboard/keys', { mode: 'live' });
    expect(await statusOf(key)).toBe(200);
    expect((await reset({ revoke_keys: true })).status).toBe(204);
    expect(await statusOf(key)).toBe(401);
    expect((await second.call('GET', '/auth/me')).status).toBe(401);
    expect(errorOf(await join())).toEqual([400, 'validation_error', 'invitation_token']);
    expect((await gateway.redeem(token)).status).toBe(400);
    expect(await statusOf(kept.key)).toBe(200);
    expect((await other.call('GET', '/auth/me')).status).toBe(200);
    expect((await outsider.logIn({ password: NEW_PASSWORD })).status).toBe(200);
    const audit = await gateway.operator('GET', '/audit?limit=200');
    const entry = audit.body.data.find(
      ({ effect }: { effect?: { revoked_keys?: number } }) => effect?.revoked_keys !== undefined,
    );
    expect(entry.effect).toEqual({
      user_id: expect.any(String),
      workspace_ids: [outsider.workspaceId],
      revoked_keys: 1,
    });
  });

  it('decisions 24: revokes no key of a workspace that the user only joined', async () => {
    const { second } = await founded();
    const owner = await newOwner(gateway);
    const { body: key } = await owner.call('POST', '/dashboard/keys', { mode: 'live' });
    const guest = { email: second.email, role: 'owner' };
    const invited = await owner.call('POST', '/dashboard/members', guest);
    await second.logIn({ invitation_token: invited.body.invitation_token });
    await gateway.forgot(second);
    const token = (await gateway.mail()).find(({ command }) => command.to === second.email)!.token;
    const body = { reset_token: token, new_password: NEW_PASSWORD, revoke_keys: true };
    expect((await new Person(gateway).call('POST', '/auth/password/reset', body)).status).toBe(204);
    expect(await statusOf(key.key)).toBe(200);
    expect((await owner.call('GET', '/auth/me')).status).toBe(200);
  });
});

describe('a request for a reset', () => {
  it('gets the same answer after the same work for a known and for an unknown address', async () => {
    const owner = await newUser();
    const workOf = async (person: Person) => {
      let answer: Answer | undefined;
      const statements = await statementsOf(gateway, async () => {
        answer = await gateway.forgot(person);
      });
      const { status, text, headers } = answer!;
      return { status, text, headers: Object.keys(headers).toSorted(), statements };
    };
    const known = await workOf(owner);
    const unknown = await workOf(new Person(gateway));
    expect(known.status).toBe(202);
    expect(known.statements).toHaveLength(1);
    expect(unknown).toEqual(known);
    const sent = await gateway.mail();
    expect(sent.map(({ command }) => command.to)).toEqual([owner.email]);
    const { rows } = await gateway.database.pool.query('SELECT FROM email_requests');
    expect(rows).toEqual([]);
  });
});
