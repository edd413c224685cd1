/** Confirmation of an email address, and how account emails are made: decisions 24, ADR 38. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountEmailsJob } from '../src/messages/account-emails/account-emails.job.js';
import { DatabaseUnavailable } from '@watchword/postgres';
import { greetingName } from '../src/messages/account-emails/account-email-texts.policy.js';
import { errorOf, type MailingGateway, openMailing } from './account-emails.kit.js';
import { dashboard, memberOf, newOwner, Person } from './person.kit.js';

const DAY_MS = 86_400_000;
let gateway: MailingGateway;

beforeAll(async () => (gateway = await openMailing({ TRIAL_CREDITS: 'after_confirmation' })));
afterAll(() => gateway.close());
afterEach(() => gateway.mail());

const me = async (person: Person) => (await person.call('GET', '/auth/me')).body;
const resend = (person: Person, headers = {}) =>
  person.call('POST', '/auth/email/confirmation', undefined, headers);

describe('a saved card', () => {
  it('a saved card is deleted before its person is removed, and confirmed owners are notified', async () => {
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
  it('sends a link that confirms the address and brings the trial credits, once', async () => {
    const owner = await newOwner(gateway);
    const [email, ...others] = await gateway.mail();
    expect(others).toEqual([]);
    expect(email!.command).toMatchObject({
      purpose: 'email_confirmation',
      to: owner.email,
      subject: 'Confirm your email address for Acme',
    });
    const before = await me(owner);
    expect(before.user.email_confirmed).toBe(false);
    expect(before.workspace).toMatchObject({ balance: 0, trial_credits_pending: 10 });
    expect((await gateway.confirm(email!.token)).status).toBe(204);
    const after = await me(owner);
    expect(after.user.email_confirmed).toBe(true);
    expect(after.workspace.balance).toBe(10);
    expect(after.workspace).not.toHaveProperty('trial_credits_pending');
    expect(errorOf(await gateway.confirm(email!.token))).toEqual([
      ...[400, 'validation_error', 'confirmation_token'],
    ]);
    expect(errorOf(await gateway.confirm('x'))[0]).toBe(400);
  });

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

  it('that fails asks for no email', async () => {
    const owner = await newOwner(gateway);
    await gateway.mail();
    expect((await new Person(gateway, owner.email).signUp()).status).toBe(409);
    expect(await gateway.mail()).toEqual([]);
  });
});

describe('a confirmation', () => {
  it('can be sent again, and then only the new link works', async () => {
    const owner = await newOwner(gateway);
    const [first] = await gateway.mail();
    expect(await resend(owner)).toMatchObject({ status: 202, body: { status: 'requested' } });
    const [second] = await gateway.mail();
    expect((await gateway.confirm(first!.token)).status).toBe(400);
    expect((await gateway.confirm(second!.token)).status).toBe(204);
    expect(errorOf(await resend(owner))).toEqual([409, 'conflict', undefined]);
  });

  it('a confirmation is sent again to its own user alone, and a client asks for it ten times an hour', async () => {
    const owner = await newOwner(gateway);
    expect((await resend(new Person(gateway))).status).toBe(401);
    expect(errorOf(await resend(owner, { 'x-csrf-token': 'x' }))[2]).toBe('X-CSRF-Token');
    const statuses = [];
    for (let asked = 0; asked < 11; asked += 1) statuses.push((await resend(owner)).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
  });

  it('is good for seven days', async () => {
    await newOwner(gateway);
    const [email] = await gateway.mail();
    gateway.clock.advance(7 * DAY_MS);
    expect((await gateway.confirm(email!.token)).status).toBe(400);
  });
});

describe('an account email', () => {
  it('is in the language of the request', async () => {
    const person = new Person(gateway);
    const body = { email: person.email, password: 'correct horse battery', name: 'Zoé' };
    await person.call('POST', '/auth/signup', body, { 'accept-language': 'fr' });
    const [email] = await gateway.mail();
    expect(email!.command.subject).toBe('Confirmez votre adresse e-mail pour Acme');
    expect(email!.content.text).toMatch(/^Bonjour Zoé,/);
    expect(email!.content.html).toContain('<html lang="fr">');
  });

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
      `SELECT FROM outbox WHERE payload::text LIKE '%' || $1 || '%'`,
      [owner.email],
    );
    expect(rows).toHaveLength(1);
  });

  it('that fails keeps no other of its batch', async () => {
    const failed = await newOwner(gateway);
    const owner = await newOwner(gateway);
    const before = gateway.logs.length;
    gateway.dispatch.emailContents.failures.push(new Error('dispatch is away'));
    const sent = await gateway.mail();
    expect(sent.map(({ command }) => command.to)).toEqual([owner.email]);
    const told = gateway.logs.slice(before).join();
    expect(told).toContain('account email failed, retrying in the next run');
    expect(told).not.toContain(failed.email);
    gateway.clock.advance(30_000);
    expect((await gateway.mail()).map(({ command }) => command.to)).toEqual([failed.email]);
  });

  it('is given up after an hour', async () => {
    const owner = await newOwner(gateway);
    const before = gateway.logs.length;
    gateway.clock.advance(3_600_001);
    expect(await gateway.mail()).toEqual([]);
    const told = gateway.logs.slice(before).join();
    expect(told).toContain('account email dropped: older than an hour');
    expect(told).not.toContain(owner.email);
  });
});

describe('the pages behind the links', () => {
  it.each([
    ['/account/reset-password', 'Set a new password', 'Choisir un nouveau mot de passe'],
    ['/account/confirm-email', 'Confirm your email address', 'Confirmer votre adresse e-mail'],
  ])('%s: say it in both languages, and run their own script alone', async (path, en, fr) => {
    const page = await gateway.get(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<h1>${en}</h1>`);
    const french = await gateway.get(path, undefined, { 'accept-language': 'fr' });
    expect(french.text).toContain(`<h1>${fr}</h1>`);
    const script = /<script>([\s\S]*)<\/script>/.exec(page.text)?.[1] ?? '';
    const digest = createHash('sha256').update(script).digest('base64');
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringContaining(`script-src 'sha256-${digest}'`),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });
});
