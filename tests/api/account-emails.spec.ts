/**
 * Account emails as a user meets them: the link is read from the mailbox of the simulator and followed. Decisions
 * 24 and 26.
 */
import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { Browser } from '../support/browser.js';
import { expectError, useSystem } from '../support/suite.js';
import { startSystemWith } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

// Sign-ups are limited by address: each browser here has its own.
const suite = useSystem(() => startSystemWith({ TRUSTED_PROXIES: '1' }));
const NEW_PASSWORD = 'staple battery horse';

async function mailbox(to: string): Promise<{ from: string; raw: string }[]> {
  const { json } = await suite.system.simulator.get(
    `/_simulator/emails?to=${encodeURIComponent(to)}`,
  );
  return json as { from: string; raw: string }[];
}

/** The newest email to the address, once there are that many. */
async function emailTo(to: string, count: number) {
  const { raw, from } = await waitUntil(`${count} emails to ${to}`, async () => {
    const emails = await mailbox(to);
    return emails.length >= count ? emails.at(-1) : undefined;
  });
  const { subject, text = '', html } = await simpleParser(raw);
  const link = new URL(/https?:\/\/\S+#token=[\w-]+/.exec(text)![0]);
  expect(html).toContain(`href="${link.href}"`);
  return { raw, from, subject, link, token: link.hash.slice('#token='.length) };
}

async function newUser() {
  const browser = new Browser(suite.system);
  expect((await browser.signUp()).status).toBe(200);
  return { browser, confirmation: await emailTo(browser.email, 1) };
}

const post = (path: string, body: object) => new Browser(suite.system).request('POST', path, body);
const forgot = (email: string) => post('/auth/password/forgot', { email });

describe('the confirmation email of a sign-up', () => {
  it('decisions 24: the link confirms the address, once', async () => {
    const { browser, confirmation } = await newUser();
    expect(confirmation.subject).toBe('Confirm your email address for Watchword');
    const before = await browser.request('GET', '/auth/me');
    expect(before.json.user.email_confirmed).toBe(false);
    const page = await suite.http.get(confirmation.link.pathname);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<h1>Confirm your email address</h1>');
    const body = { confirmation_token: confirmation.token };
    expect((await post('/auth/email/confirm', body)).status).toBe(204);
    const after = await browser.request('GET', '/auth/me');
    expect(after.json.user.email_confirmed).toBe(true);
    const again = await post('/auth/email/confirm', body);
    expectError(again, 400, 'validation_error', 'confirmation_token');
  });

  it('that bounces stops account emails to the address until an operator allows them', async () => {
    const browser = new Browser(suite.system);
    const submit = { kind: 'refuse', code: '550 5.1.1' };
    await suite.scenario({ provider: 'smtp', to: browser.email, submit, times: 1 });
    expect((await browser.signUp()).status).toBe(200);
    const path = `/platform-email/suppressions/${encodeURIComponent(browser.email)}`;
    const lifted = await waitUntil('the address to be suppressed', async () => {
      const answer = await suite.operator.request('DELETE', path);
      return answer.status === 204 ? answer : undefined;
    });
    expect(lifted.text).toBe('');
    expectError(await suite.operator.request('DELETE', path), 404, 'not_found');
    expect((await browser.request('POST', '/auth/email/confirmation')).status).toBe(202);
    await emailTo(browser.email, 1);
  });
});

describe('a forgotten password', () => {
  it('decisions 24: a forgotten password is set anew by the link in the email, and every session ends', async () => {
    const { browser } = await newUser();
    expect((await forgot(browser.email)).status).toBe(202);
    const { link, token, subject } = await emailTo(browser.email, 2);
    expect(subject).toBe('Set a new password for Watchword');
    expect(link.pathname).toBe('/account/reset-password');
    const reset = { reset_token: token, new_password: NEW_PASSWORD };
    expect((await post('/auth/password/reset', reset)).status).toBe(204);
    expect((await browser.request('GET', '/auth/me')).status).toBe(401);
    expect((await browser.logIn()).status).toBe(401);
    expect((await browser.logIn({ password: NEW_PASSWORD })).status).toBe(200);
    const again = await post('/auth/password/reset', reset);
    expectError(again, 400, 'validation_error', 'reset_token');
  });
});
