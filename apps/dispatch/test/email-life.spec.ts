import { expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import { KeyRing } from '@watchword/platform';
import { EMAIL_CONTENT_PURPOSE, EmailContentStore } from '../src/emails/email-content.store.js';
import { RetentionJob } from '../src/retention/retention.job.js';
import { RetentionStore } from '../src/retention/retention.store.js';
import { UsageJob } from '../src/usage/usage.job.js';
import { UsageStore } from '../src/usage/usage.store.js';
import { emailReport, storeContents, useEmailKit, WORKSPACE } from './email.kit.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const logger = createLogger({ service: 'email-life-spec', level: 'silent' });
const emails = useEmailKit();
const { command, record, typesOf, until } = emails;

const later = () => new Date(emails.clock.now() + HOUR_MS).toISOString();

it('decisions 26: a scheduled email is cancelled once, with its refund, and not when it was handed over', async () => {
  const sent = command(['ada@example.com'], { send_at: later() });
  await emails.kit.send(sent);
  const scope = { workspace_id: WORKSPACE, test_mode: false };
  const idempotency = { scope: 'live POST cancel', key: newId(), fingerprint: 'f' };
  const asked = { ...scope, email_id: sent.message_id, idempotency };
  expect(await emails.kit.calls.cancelEmail({ ...asked, test_mode: true })).toEqual({
    outcome: 'not_found',
  });
  expect(await emails.kit.calls.cancelEmail(asked)).toMatchObject({
    outcome: 'cancelled',
    replayed: false,
    email: { status: 'cancelled' },
  });
  expect(await emails.kit.calls.cancelEmail(asked)).toMatchObject({ replayed: true });
  expect(await emails.kit.calls.cancelEmail({ ...asked, idempotency: null })).toEqual({
    outcome: 'conflict',
  });
  await emails.kit.refund(sent.message_id);
  expect(await record(sent.message_id)).toMatchObject({ status: 'cancelled', refunded: true });
  expect(await typesOf(sent.message_id)).toEqual(['email.cancelled']);
  const handedOver = command();
  await emails.kit.send(handedOver);
  await until(handedOver.message_id, 'sent');
  expect(
    await emails.kit.calls.cancelEmail({
      ...scope,
      email_id: handedOver.message_id,
      idempotency: null,
    }),
  ).toEqual({ outcome: 'conflict' });
});

it.each([
  ['bounced@sim.test', 'bounced'],
  ['complained@sim.test', 'complained'],
])(
  'a test email to %s ends as %s, is handed over to nobody and suppresses nothing',
  async (address, status) => {
    const sent = command([address], { test_mode: true });
    await emails.kit.send(sent);
    await eventually(async () => {
      emails.clock.advance(1_000);
      expect((await record(sent.message_id)).status).toBe(status);
    });
    await emails.kit.emailReports(emailReport(sent.message_id, 'unsubscribed'));
    expect(emails.world.smtp.submits).toEqual([]);
    expect(emails.world.entries).toEqual([]);
  },
);

const DAYS = { retentionContentDays: 30, retentionMessagesDays: 400 };

async function runAfter(days: number): Promise<void> {
  const at = Date.now() + days * DAY_MS;
  const store = new RetentionStore(emails.kit.database.pool);
  const clock = { now: () => at };
  const usage = new UsageJob(new UsageStore(emails.kit.database.pool), clock);
  await new RetentionJob(store, DAYS, usage, clock, logger).run();
}

async function rowsOf(id: string): Promise<number[]> {
  const keys = { emails: 'id', email_recipients: 'email_id', email_attempts: 'email_id' };
  const counts = Object.entries(keys).map(async ([table, key]) => {
    const { rows } = await emails.kit.database.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${table} WHERE ${key} = $1`,
      [id],
    );
    return rows[0]!.count;
  });
  return Promise.all(counts);
}

it('the record of an email is deleted after its days with its recipients and attempts, but not while it is scheduled', async () => {
  const sent = command(['ada@example.com', 'eve@example.com']);
  await emails.kit.send(sent);
  await until(sent.message_id, 'sent');
  const sendAt = new Date(emails.clock.now() + 20 * DAY_MS).toISOString();
  const waiting = command(['ada@example.com'], { send_at: sendAt });
  await emails.kit.send(waiting);
  await runAfter(399);
  expect(await rowsOf(sent.message_id)).toEqual([1, 2, 2]);
  await runAfter(401);
  expect(await rowsOf(sent.message_id)).toEqual([0, 0, 0]);
  expect(await rowsOf(waiting.message_id)).toEqual([1, 1, 0]);
  await emails.kit.database.pool.query("UPDATE emails SET status = 'sent' WHERE id = $1", [
    waiting.message_id,
  ]);
  await runAfter(402);
  expect(await rowsOf(waiting.message_id)).toEqual([0, 0, 0]);
});

const hashesLeft = async () => {
  const { rows } = await emails.kit.database.pool.query<{ sha256: string }>(
    'SELECT sha256 FROM email_contents',
  );
  return rows.map((row) => row.sha256);
};

it('decisions 26: the content of emails is encrypted, and deleted a day after no email refers to it', async () => {
  const contents = [{ html: null, text: `secret ${newId()}`, attachments: [] }];
  const [orphan] = await storeContents(emails.kit, contents);
  const { rows } = await emails.kit.database.pool.query<{ cipher: Buffer }>(
    'SELECT content_cipher AS cipher FROM email_contents WHERE sha256 = $1',
    [orphan],
  );
  expect(rows[0]!.cipher.includes('secret')).toBe(false);
  const ring = new KeyRing(['0f'.repeat(32)], EMAIL_CONTENT_PURPOSE);
  const store = new EmailContentStore(emails.kit.database.pool, ring);
  const sent = command();
  await emails.kit.send(sent);
  await until(sent.message_id, 'sent');
  const purgeAfter = (ms: number) => store.purge(new Date(emails.clock.now() + ms));
  await purgeAfter(DAY_MS - HOUR_MS);
  expect(await hashesLeft()).toEqual(expect.arrayContaining([orphan, emails.sha256]));
  // A suspended workspace's commands are held, and name their contents.
  await emails.kit.database.pool.query(
    `INSERT INTO held_commands (message_id, workspace_id, command) VALUES ($1, $2, $3)`,
    [newId(), WORKSPACE, JSON.stringify({ email: { content_sha256: orphan } })],
  );
  await purgeAfter(DAY_MS + HOUR_MS);
  expect(await hashesLeft()).toEqual(expect.arrayContaining([orphan, emails.sha256]));
  await emails.kit.database.pool.query('DELETE FROM held_commands');
  await purgeAfter(DAY_MS + HOUR_MS);
  expect(await hashesLeft()).toEqual([emails.sha256]);
  emails.clock.advance(31 * DAY_MS);
  expect(await record(sent.message_id)).toMatchObject({
    html: null,
    text: null,
    content_expired: true,
    subject: 'Your receipt',
  });
  await purgeAfter(0);
  expect(await hashesLeft()).toEqual([]);
});
