import { expect, it } from '@jest/globals';
import { ACCEPTED, useEmailKit, emailReport, NO_SUCH_USER, UNREACHABLE } from './email.kit.js';

const MINUTE_MS = 60_000;

const emails = useEmailKit();
const { command, record, typesOf, until } = emails;

it('decisions 26: a live email is handed over once for each recipient, and announced', async () => {
  const sent = command(['ada@example.com', 'bob@example.com']);
  await emails.kit.send(sent, sent);
  await emails.kit.send(sent);
  await until(sent.message_id, 'sent');
  await until(sent.message_id, 'sent', 1);
  expect(emails.world.smtp.submits.map(({ to }) => to).toSorted()).toEqual(sent.email!.recipients);
  expect(emails.world.smtp.submits[0]!.returnPath).toMatch(/^bounce\+[a-z2-7]+@/);
  const email = await record(sent.message_id);
  expect(email).toMatchObject({
    status: 'sent',
    html: '<p>Hi</p>',
    text: 'Hi',
    content_expired: false,
    message_id: `<${sent.message_id}@acme.example>`,
    cost: { amount_kobo: 200, currency: 'NGN' },
    error_code: null,
  });
  expect(email.provider_attempts).toHaveLength(2);
  expect(await typesOf(sent.message_id)).toEqual(['email.queued', 'email.sent', 'email.sent']);
});

it('decisions 26: each report on an email is published once, in any order of arrival', async () => {
  const { message_id: id, ...rest } = command();
  await emails.kit.send({ message_id: id, ...rest });
  await until(id, 'sent');
  const delivered = emailReport(id, 'delivered');
  const opened = emailReport(id, 'opened', {
    occurred_at: new Date(emails.clock.now() + MINUTE_MS).toISOString(),
    open: { ip: null, user_agent: 'Mozilla', machine_open: false },
  });
  const byMachine = emailReport(id, 'opened', {
    open: { ip: null, user_agent: 'GoogleImageProxy', machine_open: true },
  });
  await emails.kit.emailReports(delivered, byMachine, delivered, opened);
  await emails.kit.emailReports(opened, emailReport(id, 'delivered'));
  expect(await record(id)).toMatchObject({ status: 'delivered', open_count: 1, click_count: 0 });
  expect(await typesOf(id)).toEqual([
    'email.queued',
    'email.sent',
    'email.delivered',
    'email.opened',
    'email.opened',
  ]);
  const bounce = { type: 'permanent', sub_type: 'no_email', code: null, message: null } as const;
  await emails.kit.emailReports(emailReport(id, 'bounced', { bounce, suppress: true }));
  await emails.kit.emailReports(emailReport(id, 'delivered'));
  expect(await record(id)).toMatchObject({ status: 'bounced', recipients: [{ bounce }] });
  expect(emails.world.entries).toMatchObject([{ address: 'ada@example.com', origin: 'bounce' }]);
});

it('decisions 28: an email has at most 50 events of opens and 50 of clicks for one recipient, and still counts a person after them', async () => {
  const sent = command(['ada@example.com', 'eve@example.com']);
  const id = sent.message_id;
  await emails.kit.send(sent);
  await until(id, 'sent');
  const occurred_at = new Date(emails.clock.now() + MINUTE_MS).toISOString();
  const visitor = { ip: null, user_agent: 'Mozilla' };
  const click = { ...visitor, url: 'https://acme.example/', machine_click: false };
  const opens = (count: number, machine_open: boolean, recipient = 0) =>
    Array.from({ length: count }, () =>
      emailReport(id, 'opened', { occurred_at, recipient, open: { ...visitor, machine_open } }),
    );
  const clicks = Array.from({ length: 60 }, () =>
    emailReport(id, 'clicked', { occurred_at, click }),
  );
  await emails.kit.emailReports(...opens(60, true), ...clicks);
  expect(await record(id)).toMatchObject({ open_count: 0 });
  await emails.kit.emailReports(...opens(2, false), ...opens(2, false, 1));
  const published = Object.groupBy(await typesOf(id), (type) => type);
  expect(published['email.opened']).toHaveLength(52);
  expect(published['email.clicked']).toHaveLength(50);
  expect(await record(id)).toMatchObject({ open_count: 2, click_count: 1 });
});

it('a complaint about an email suppresses the address, an unsubscribe suppresses it for marketing only', async () => {
  const sent = command();
  await emails.kit.send(sent);
  await until(sent.message_id, 'sent');
  await emails.kit.emailReports(emailReport(sent.message_id, 'unsubscribed'));
  expect(emails.world.entries).toMatchObject([{ origin: 'unsubscribe', scope: 'marketing' }]);
  await emails.kit.emailReports(
    emailReport(sent.message_id, 'complained', { complaint: { type: 'abuse' } }),
  );
  expect(emails.world.entries[1]).toMatchObject({ origin: 'complaint', scope: 'all' });
  expect((await record(sent.message_id)).status).toBe('complained');
});

it('decisions 20: a live email goes to the next provider when the first cannot be reached', async () => {
  emails.world.smtp.answer = () => UNREACHABLE;
  const sent = command();
  await emails.kit.send(sent);
  await until(sent.message_id, 'sent');
  expect(emails.world.ses.submits).toHaveLength(1);
  expect((await record(sent.message_id)).provider_attempts).toMatchObject([
    { provider: 'smtp', ok: false, error_code: 'provider_rejected', error_message: null },
    { provider: 'ses', ok: true },
  ]);
});

it('decisions 20: an address that bounces is suppressed before the next email to it is handed over', async () => {
  emails.world.smtp.answer = () => NO_SUCH_USER;
  const first = command();
  await emails.kit.send(first);
  await until(first.message_id, 'bounced');
  const [second, third] = [command(), command(['ada@example.com', 'bob@example.com'])];
  emails.world.smtp.answer = () => ACCEPTED;
  await emails.kit.send(second, third);
  await until(second.message_id, 'failed');
  await until(third.message_id, 'failed', 0);
  await until(third.message_id, 'sent', 1);
  expect(emails.world.smtp.submits).toHaveLength(2);
  // The whole email failed. That shows when the ledger has the refund.
  expect((await record(second.message_id)).status).toBe('queued');
  await emails.kit.refund(second.message_id);
  expect(await record(second.message_id)).toMatchObject({
    status: 'failed',
    error_code: 'address_suppressed',
    refunded: true,
  });
  expect(await typesOf(second.message_id)).toEqual(['email.queued', 'email.failed']);
  expect(await typesOf(third.message_id)).toEqual(['email.queued', 'email.failed', 'email.sent']);
  expect((await record(third.message_id)).status).toBe('sent');
  const refunds = (await emails.kit.refundCommands()).map(({ message_id: id }) => id);
  expect(refunds).toContain(second.message_id);
  expect(refunds).not.toContain(third.message_id);
});

it('decisions 20: a live email of a domain that lost its verification fails', async () => {
  emails.world.status = 'failed';
  const sent = command();
  await emails.kit.send(sent);
  await until(sent.message_id, 'failed');
  await emails.kit.refund(sent.message_id);
  expect((await record(sent.message_id)).error_code).toBe('domain_unverified');
});
