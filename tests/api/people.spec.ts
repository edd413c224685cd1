/** Trust between the people of a workspace, and the operator: decisions 28. */
import { describe, expect, it } from '@jest/globals';
import { Browser } from '../support/browser.js';
import { expectError, useSystem } from '../support/suite.js';
import { startSystemWith } from '../support/system.js';

// Sign-ups are limited by address: each browser here has its own.
const suite = useSystem(() => startSystemWith({ TRUSTED_PROXIES: '1' }));

async function newOwner() {
  const browser = new Browser(suite.system);
  const answer = await browser.signUp();
  expect(answer.status).toBe(200);
  return Object.assign(browser, { workspaceId: answer.json.workspace.workspace_id as string });
}

async function newMember(owner: Browser) {
  const member = new Browser(suite.system);
  const { invitation_token } = (await invite(owner, member)).json;
  const { json } = await member.signUp({ invitation_token });
  return { member, invitation_token, path: `/dashboard/members/${json.user.user_id}` };
}

const invite = (owner: Browser, { email }: Browser) =>
  owner.request('POST', '/dashboard/members', { email });

const makeKey = async (member: Browser, body: object) =>
  (await member.request('POST', '/dashboard/keys', { mode: 'live', ...body })).json;

/** Returns the effect of the newest audited request that answered 204. */
async function lastRemoval(owner: Browser) {
  const { json } = await owner.request('GET', '/dashboard/audit');
  return json.data.find(({ status }: { status: number }) => status === 204).effect;
}

describe('the people of a workspace', () => {
  it('decisions 28: an owner lists open invitations without their tokens and withdraws them', async () => {
    const owner = await newOwner();
    const guest = new Browser(suite.system);
    const { member, invitation_token: used } = await newMember(owner);
    const { json: open } = await invite(owner, guest);
    const listed = await owner.request('GET', '/dashboard/invitations');
    const me = await owner.request('GET', '/auth/me');
    expect(listed.json).toEqual({
      data: [
        {
          ...{ id: open.id, email: guest.email, role: 'member' },
          invited_by: { user_id: me.json.user.user_id, email: owner.email },
          ...{ created_at: expect.any(String), expires_at: expect.any(String) },
        },
      ],
    });
    const path = `/dashboard/invitations/${open.id}`;
    expect((await owner.request('DELETE', path)).status).toBe(204);
    expect(await lastRemoval(owner)).toMatchObject({ invitation_id: open.id, email: guest.email });
    expectError(await owner.request('DELETE', path), 404, 'not_found');
    expect((await owner.request('GET', '/dashboard/invitations')).json.data).toEqual([]);
    for (const token of [open.invitation_token, used]) {
      const refused = await guest.signUp({ invitation_token: token });
      expectError(refused, 400, 'validation_error', 'invitation_token');
    }
    expect((await member.request('GET', '/auth/me')).status).toBe(200);
  });

  it('decisions 28: the removal of a member who made live keys needs a choice, and revokes all of them', async () => {
    const owner = await newOwner();
    const { member, path } = await newMember(owner);
    const own = await makeKey(owner, {});
    const theirs = [
      await makeKey(member, {}),
      await makeKey(member, { permission: 'agent' }),
      await makeKey(member, { mode: 'test' }),
    ];
    const statusOf = async ({ key }: { key: string }) =>
      (await suite.http.get('/v1/balance', { key })).status;
    const refused = await owner.request('DELETE', path);
    expectError(refused, 409, 'conflict', 'keys');
    expect(refused.json.error.message).toBe(
      'Live API keys that this member made and that still work: 2. Add keys=revoke or keys=keep.',
    );
    expect((await owner.request('DELETE', `${path}?keys=all`)).status).toBe(400);
    expect((await member.request('GET', '/auth/me')).status).toBe(200);
    expect(await statusOf(theirs[0])).toBe(200);
    expect((await owner.request('DELETE', `${path}?keys=revoke`)).status).toBe(204);
    const statuses = await Promise.all([theirs[0], theirs[2], own].map(statusOf));
    expect(statuses).toEqual([401, 401, 200]);
    const { json } = await owner.request('GET', '/dashboard/keys');
    const revoked = json.data.filter((key: { revoked_at: string | null }) => key.revoked_at);
    const ids = theirs.map(({ key_id }) => key_id as string);
    expect(new Set(revoked.map((key: { key_id: string }) => key.key_id))).toEqual(new Set(ids));
    expect(revoked[0].created_by).toMatchObject({ email: member.email });
    expect(await lastRemoval(owner)).toMatchObject({ keys: 'revoke', key_ids: ids });
  });
});

describe('settings with a floor', () => {
  it.each([
    ['anti_spam', 'off', 'tag', 'block'],
    ['country_enforcement', 'off', 'log', 'enforce'],
    ['sender_id_enforcement', 'off', 'log', 'enforce'],
  ])(
    'decisions 28: an owner may set %s stricter than the operator did, not looser',
    async (name, loose, middle, strict) => {
      const owner = await newOwner();
      const set = await suite.operator.request('PATCH', `/workspaces/${owner.workspaceId}`, {
        settings: { [name]: middle },
      });
      expect([set.json.settings[name], set.json.floors]).toEqual([middle, { [name]: middle }]);
      const change = (settings: object) =>
        owner.request('PATCH', '/dashboard/workspace', { settings });
      const refused = await change({ [name]: loose, default_language: 'fr' });
      expectError(refused, 403, 'permission_error', `settings.${name}`);
      const { json: same } = await owner.request('GET', '/dashboard/workspace');
      expect(same.settings).toMatchObject({ [name]: middle, default_language: 'en' });
      for (const value of [strict, middle]) {
        const { status, json } = await change({ [name]: value });
        expect([status, json.settings[name], json.floors]).toEqual([
          200,
          value,
          { [name]: middle },
        ]);
      }
    },
  );
});
