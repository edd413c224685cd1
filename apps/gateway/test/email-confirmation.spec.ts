/** Confirmation of an email address, and how account emails are made: decisions 24, ADR 38. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountEmailsJob } from '../src/messages/account-emails/account-emails.job.js';
import { DatabaseUnavailable } from '@watchword/postgres';
import { greetingName } from '../src/messages/account-emails/account-email-texts.policy.js';
import { errorOf, type MailingGateway, openMailing } from './account-emails.kit.js';
import { dashboard, memberOf, newOwner, Person } from './person.kit.js';

let gateway: MailingGateway;

beforeAll(async () => (gateway = await openMailing({ TRIAL_CREDITS: 'after_confirmation' })));
afterAll(() => gateway.close());
afterEach(() => gateway.mail());

const me = async (person: Person) => (await person.call('GET', '/auth/me')).body;

describe('a saved card', () => {
  it('decisions 28: a saved card is deleted before its person is removed, and confirmed owners are notified', async () => {
    const owner = await newOwner(gateway);
    const person = await memberOf(gateway, owner, 'owner');
    await memberOf(gateway, owner);
    const confirmations = await gateway.mail();
    for (const { command, token } of confirmations) {
      if (command.to !== owner.email) expect((await gateway.confirm(token)).status).toBe(204);
    }
    const { user } = await me(person);
    const asked: unknown[] = [];
    const { billing } = gateway;
    const { deleteAuthorisationOf } = billing;
    billing.deleteAuthorisationOf = async () =>
      Promise.reject(new DatabaseUnavailable(false, null));
    const away = await dashboard(owner, 'DELETE', `members/${user.user_id}`);
    const still = await person.call('GET', '/auth/me');
    expect([away.status, still.status, still.body]).toMatchObject([
      503,
      200,
      { user: { role: 'owner' } },
    ]);
    billing.deleteAuthorisationOf = async (request) => {
      asked.push([request, (await me(person)).user.role]);
      return { deleted: true };
    };
    const removed = await dashboard(owner, 'DELETE', `members/${user.user_id}`);
    billing.deleteAuthorisationOf = deleteAuthorisationOf;
    expect(removed.status).toBe(204);
    const named = { workspace_id: owner.workspaceId, user_id: user.user_id };
    expect(asked).toEqual([[named, 'owner']]);
    const { body: audit } = await dashboard(owner, 'GET', 'audit');
    expect(audit.data[0].effect).toMatchObject({
      ...named,
      ...{ saved_card: 'deleted', automatic_top_up: 'off' },
    });
    const notices = await gateway.mail();
    expect(notices.map(({ command }) => [command.purpose, command.to])).toEqual([
      ['saved_card_deleted', person.email],
    ]);
    expect(notices[0]!.content.text).toContain('Automatic top-up is off.');
  });
});

describe('a sign-up', () => {
  it('opens live sends with the confirmation', async () => {
    const owner = await newOwner(gateway);
    const [email] = await gateway.mail();
    const { body } = await dashboard(owner, 'POST', 'keys', { mode: 'live' });
    const send = () => gateway.post('/v1/otp/send', body.key, { phone_number: '+2348031234567' });
    expect(errorOf(await send())).toEqual([403, 'permission_error', 'email']);
    expect((await gateway.confirm(email!.token)).status).toBe(204);
    expect((await send()).status).toBe(200);
  });

  it('of a member confirms the member, and not the workspace of the owner', async () => {
    const owner = await newOwner(gateway);
    await gateway.mail();
    const member = await memberOf(gateway, owner);
    const [email] = await gateway.mail();
    expect(email!.command.to).toBe(member.email);
    expect((await gateway.confirm(email!.token)).status).toBe(204);
    expect((await me(member)).user.email_confirmed).toBe(true);
    expect((await me(owner)).workspace.trial_credits_pending).toBe(10);
  });
});

describe('an account email', () => {
  it.each([
    '<img src=x onerror=alert(1)>',
    'Visit evil.example',
    'https://evil.example/',
    'Ada\r\nBcc: eve@example.com',
    'Claim your prize today my dear dear dear friend',
    '"><a href="//evil.example">',
    'Ada & Eve',
    'Ada@evil',
  ])('shows nothing of the name %j', async (name) => {
    expect(greetingName(name)).toBeNull();
    const answer = await new Person(gateway).signUp({ name, workspace_name: name });
    expect(answer.status).toBe(200);
    const [{ command, content }] = (await gateway.mail()) as [
      Awaited<ReturnType<typeof gateway.mail>>[0],
    ];
    expect(content.text).toMatch(/^Hello,\n/);
    expect(JSON.stringify([command, content])).not.toMatch(/evil|eve@|onerror|prize|Bcc/);
  });

  it.each(['Ada', 'Ada Lovelace', 'Zoé', 'O’Neill', 'Jean-Luc', 'Ọlá', '李 小龙'])(
    'greets %s',
    (name) => expect(greetingName(name)).toBe(name),
  );

  it('is made once, by several processes and after a dispatch that was away', async () => {
    const owner = await newOwner(gateway);
    const job = gateway.app.get(AccountEmailsJob);
    gateway.dispatch.emailContents.failures.push(new Error('dispatch is away'));
    expect(await job.run()).toBe(false);
    expect(await gateway.mail()).toEqual([]);
    gateway.clock.advance(30_000);
    const before = gateway.dispatch.emailContents.contents.length;
    await Promise.all([job.run(), job.run(), job.run()]);
    expect(gateway.dispatch.emailContents.contents.length - before).toBe(1);
    const { rows } = await gateway.database.pool.query(
      `SELECT FROM message_queue WHERE payload::text LIKE '%' || $1 || '%'`,
      [owner.email],
    );
    expect(rows).toHaveLength(1);
  });
});
