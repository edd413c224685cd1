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

describe('an owner', () => {
  it('decisions 28: withdraws invitations, and asks what becomes of a leaver’s keys', async () => {
    const owner = await newOwner();
    const [guest, member] = [new Browser(suite.system), new Browser(suite.system)];
    const invite = async ({ email }: Browser) =>
      (await owner.request('POST', '/dashboard/members', { email })).json;
    const open = await invite(guest);
    const { invitation_token } = await invite(member);
    const joined = await member.signUp({ invitation_token });
    const listed = await owner.request('GET', '/dashboard/invitations');
    expect(listed.json.data).toMatchObject([{ id: open.id, email: guest.email }]);
    expect((await owner.request('DELETE', `/dashboard/invitations/${open.id}`)).status).toBe(204);
    for (const token of [open.invitation_token, invitation_token]) {
      const refused = await guest.signUp({ invitation_token: token });
      expectError(refused, 400, 'validation_error', 'invitation_token');
    }
    const made = await member.request('POST', '/dashboard/keys', { mode: 'live' });
    const { key } = made.json;
    const path = `/dashboard/members/${joined.json.user.user_id}`;
    expectError(await owner.request('DELETE', path), 409, 'conflict', 'keys');
    expect((await owner.request('DELETE', `${path}?keys=revoke`)).status).toBe(204);
    expectError(await suite.http.get('/v1/balance', { key }), 401, 'authentication_error');
  });

  it('decisions 28: is no looser than the operator’s floor', async () => {
    const owner = await newOwner();
    const floor = { settings: { anti_spam: 'block' } };
    await suite.operator.request('PATCH', `/workspaces/${owner.workspaceId}`, floor);
    const refused = await owner.request('PATCH', '/dashboard/workspace', {
      settings: { anti_spam: 'tag' },
    });
    expectError(refused, 403, 'permission_error', 'settings.anti_spam');
    const { json } = await owner.request('GET', '/dashboard/workspace');
    expect([json.settings.anti_spam, json.floors]).toEqual(['block', { anti_spam: 'block' }]);
  });
});
