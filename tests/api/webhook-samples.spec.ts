/** What `POST /v1/webhooks/{id}/test` posts is what a real event of the type has: decisions 3, 18, 20, 21. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { magicNumber } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;
let receiver: WebhookReceiver;
let webhookId: string;
const ids = new Map<string, string>();

const HOUR_MS = 3_600_000;
const TEXT = 'This is a sample.';
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 0, settings: { limits } });
  receiver = await WebhookReceiver.start();
  const body = { url: `${receiver.url}/b`, events: ['*'] };
  const created = await customer.post('/v1/webhooks', body);
  expect(created.status).toBe(201);
  webhookId = created.json.id;
  // Some take seconds, so all run at once.
  await Promise.all(CASES.map(async ([type, make]) => ids.set(type, await make())));
});

afterAll(() => receiver.close());

async function made(path: string, body: object): Promise<string> {
  const answer = await customer.post(path, body, { key: customer.testKey });
  expect([200, 202]).toContain(answer.status);
  return answer.json.id as string;
}

const sms = (digits: number, more: object = {}) =>
  made('/v1/sms', { to: magicNumber(digits), from: 'Acme', body: TEXT, ...more });
const otp = (digits: number, more: object = {}) =>
  made('/v1/otp/send', { phone_number: magicNumber(digits), ...more });
const email = (local: string, more: object = {}) => {
  const from = 'Acme <hello@acme.example>';
  return made('/v1/emails', { from, to: `${local}@sim.test`, subject: TEXT, text: TEXT, ...more });
};

async function cancelled(kind: 'sms' | 'emails', id: string): Promise<string> {
  await made(`/v1/${kind}/${id}/cancel`, {});
  return id;
}

async function verified(id: string): Promise<string> {
  await customer.otpWith('delivered', id, { key: customer.testKey });
  const { json } = await customer.verify(id, '123456', { key: customer.testKey });
  expect(json.valid).toBe(true);
  return id;
}

/** Types of events, and how a test key brings each about. */
const CASES: [string, () => Promise<string>][] = [
  ['sms.queued', () => sms(0)],
  ['sms.sent', () => sms(0)],
  ['sms.delivered', () => sms(0)],
  ['sms.failed', () => sms(11)],
  ['sms.rejected', () => sms(44)],
  // At variant B, anti-spam brings `sms.rejected`.
  ['sms.blocked', () => sms(40)],
  ['sms.cancelled', async () => cancelled('sms', await sms(0, { send_at: inAnHour() }))],
  ['otp.sent', () => otp(0)],
  ['otp.delivered', () => otp(0)],
  ['otp.verified', async () => verified(await otp(0))],
  ['otp.expired', () => otp(0, { ttl_seconds: 1 })],
  ['otp.failed', () => otp(11)],
  ['email.queued', () => email('delivered')],
  ['email.sent', () => email('delivered')],
  ['email.delivered', () => email('delivered')],
  ['email.delayed', () => email('softbounced')],
  ['email.bounced', () => email('bounced')],
  ['email.complained', () => email('complained')],
  ['email.opened', () => email('opened')],
  ['email.clicked', () => email('clicked')],
  ['email.failed', () => email('failed')],
  [
    'email.cancelled',
    async () => cancelled('emails', await email('delivered', { send_at: inAnHour() })),
  ],
];

/** Returns the data of the real event of that type about a message. */
async function realOf(type: string): Promise<object> {
  const posted = type === 'sms.blocked' ? 'sms.rejected' : type;
  const event = await waitUntil(type, () =>
    receiver.received.find(
      ({ json }) => json.type === posted && json.data.id === ids.get(type) && json.sequence > 0,
    ),
  );
  return event.json.data;
}

async function sampleOf(type: string): Promise<object> {
  const { status, json } = await customer.post(`/v1/webhooks/${webhookId}/test`, { type });
  expect(status).toBe(200);
  const event = receiver.received.find((one) => one.headers['webhook-id'] === json.event_id);
  return event!.json.data;
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const OWN_MEMBERS = new Set(['ttl_seconds', 'version', 'latency_ms']);

/** Returns the value without what differs from message to message, such as ids and times. */
function likeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(likeOf);
  if (typeof value === 'string') {
    if (TIME.test(value)) return 'time';
    return value
      .replace(UUID, 'id')
      .replace(/^\+\d{8,15}$/, 'number')
      .replace(/^\w+@(sim\.test|example\.com)$/, 'address');
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      OWN_MEMBERS.has(name) ? typeof one : likeOf(one),
    ]),
  );
}

it.each(CASES)('the sample of %s has what a real event has', async (type) => {
  const real = await realOf(type);
  expect(likeOf(await sampleOf(type))).toEqual(likeOf(real));
});
