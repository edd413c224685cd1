/** API keys of a person who leaves a workspace: decisions 28. */
import { describe, expect, it } from '@jest/globals';
import { gateway, useGateway } from './one-gateway.kit.js';
import { dashboard, memberOf, newOwner, Person } from './person.kit.js';

useGateway({ TRUSTED_PROXIES: '1' });

interface Key {
  key: string;
  key_id: string;
  created_by: { user_id: string; email: string } | null;
  revoked_at: string | null;
}

const idOf = async (person: Person): Promise<string> =>
  (await person.call('GET', '/auth/me')).body.user.user_id;

async function keyOf(person: Person, body: object = {}): Promise<Key> {
  const answer = await dashboard(person, 'POST', 'keys', { mode: 'live', ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const keysSeenBy = async (person: Person): Promise<Key[]> =>
  (await dashboard(person, 'GET', 'keys')).body.data;

const statusOf = async ({ key }: Key) => (await gateway.get('/v1/balance', key)).status;

/** Returns a workspace with a member who made a live key, an agent's and one of test mode. */
async function withKeys() {
  const owner = await newOwner(gateway);
  const member = await memberOf(gateway, owner);
  const own = await keyOf(owner);
  const live = await keyOf(member);
  await keyOf(member, { permission: 'agent' });
  const test = await keyOf(member, { mode: 'test' });
  const path = `members/${await idOf(member)}`;
  return { owner, member, own, live, test, path };
}

/** Returns the effect that the workspace's audit has of the removal. */
async function auditedRemoval(owner: Person) {
  const { body } = await dashboard(owner, 'GET', 'audit');
  return body.data.find(({ status }: { status: number }) => status === 204).effect;
}

describe('a member who made live keys', () => {
  it('a member who is removed with keys=keep leaves working keys', async () => {
    const { owner, member, live, test, path } = await withKeys();
    expect((await dashboard(owner, 'DELETE', `${path}?keys=keep`)).status).toBe(204);
    expect([await statusOf(live), await statusOf(test)]).toEqual([200, 200]);
    expect(await auditedRemoval(owner)).toMatchObject({
      keys: 'keep',
      key_ids: expect.arrayContaining([live.key_id]),
    });
    expect((await member.call('GET', '/auth/me')).status).toBe(401);
  });

  it('a removal with keys=revoke also revokes keys that are created during it', async () => {
    const { owner, member, path } = await withKeys();
    const ask = () => dashboard(member, 'POST', 'keys', { mode: 'live' });
    const before = Array.from({ length: 5 }, ask);
    const removal = dashboard(owner, 'DELETE', `${path}?keys=revoke`);
    const answers = await Promise.all([...before, ...Array.from({ length: 5 }, ask)]);
    expect((await removal).status).toBe(204);
    expect(answers.every(({ status }) => status === 201 || status === 401)).toBe(true);
    const theirs = (await keysSeenBy(owner)).filter(
      (key) => key.created_by?.email === member.email,
    );
    expect(theirs.filter((key) => key.revoked_at === null)).toEqual([]);
  });
});
