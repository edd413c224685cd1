/** Decisions 25: a prefix that is blocked while a message waits for its `send_at`, by the real check and over HTTP. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { WebhookReceiver } from '../support/receiver.js';
import { expectError, Suite } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';
import { embeddedUrl } from './database.js';

const OTPS = 30;
const PREFIX = '234803';
const suite = new Suite();
let database: DatabasePool;
let receiver: WebhookReceiver;

beforeAll(async () => {
  await suite.open(startOwnSystem);
  receiver = await WebhookReceiver.start();
  const url = embeddedUrl(suite.system.dataDir);
  database = createPool({ url, applicationName: 'watchword-test', max: 1 });
});

afterAll(async () => {
  await database?.end();
  await receiver?.close();
  await suite.system?.close();
});

const number = (last: number) => `+${PREFIX}${String(7_000_000 + last)}`;

/** The next check is five minutes away: the check of the burst must not throttle the prefix first. */
async function checkedJustNow(): Promise<void> {
  await database.query('UPDATE dispatch.prefix_guard SET checked_at = now()');
}

/** The first flag was two hours ago, and the last check longer ago than one is due. */
async function flaggedBefore(workspaceId: string): Promise<void> {
  await database.query(
    `INSERT INTO dispatch.prefix_records
       (workspace_id, prefix, state, first_flagged_at, since, ends_at, otp_count, verified_count)
     VALUES ($1, $2, 'throttled', now() - interval '2 hours', now() - interval '2 hours',
       now() - interval '1 hour', 30, 0)`,
    [workspaceId, PREFIX],
  );
  await database.query(`UPDATE dispatch.prefix_guard SET checked_at = now() - interval '1 hour'`);
}

it('decisions 25: rejects a scheduled message of a prefix that was blocked meanwhile, and gives its credits back', async () => {
  const customer = await suite.customer();
  const events = ['sms.queued', 'sms.sent', 'sms.rejected', 'prefix.blocked'];
  await customer.post('/v1/webhooks', { url: receiver.url, events });
  const body = { to: number(0), from: 'Acme', body: 'Hi' };
  const send_at = new Date(Date.now() + 30_000).toISOString();
  const { json: sms } = await customer.post('/v1/sms', { ...body, send_at });
  expect(sms.status).toBe('scheduled');
  await checkedJustNow();
  for (let sent = 1; sent <= OTPS; sent += 1) {
    expect((await customer.sendOtp({ phone_number: number(sent) })).status).toBe(200);
  }
  await flaggedBefore(customer.id);
  const heard = (type: string) =>
    waitUntil(type, () => receiver.received.find(({ json }) => json.type === type), {
      timeoutMs: 60_000,
    });
  expect((await heard('prefix.blocked')).json.data).toMatchObject({ prefix: PREFIX });
  const rejected = await heard('sms.rejected');
  expect(rejected.json.data).toMatchObject({ sms_id: sms.id, error_code: 'fraud_blocked' });
  const { json: record } = await customer.get(`/v1/sms/${sms.id}`);
  expect(record).toMatchObject({ status: 'rejected', provider_attempts: [], refunded: true });
  expectError(await customer.post('/v1/sms', body), 403, 'prefix_blocked', 'to');
  const types = receiver.received.map(({ json }) => json.type);
  expect(types).toEqual(['prefix.blocked', 'sms.rejected']);
  expect(await customer.balance()).toBe(1_000 - OTPS * 5);
  const lift = { reason: 'Checked with the customer.' };
  await suite.operator.request('POST', `/workspaces/${customer.id}/prefixes/${PREFIX}/lift`, lift);
  expect((await customer.post('/v1/sms', body)).status).toBe(202);
});
