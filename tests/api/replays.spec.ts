/** Interface 8, decisions 7: every POST of /v1 under one key. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ settings: { limits } });
  const topUp = { credits: 10_000, kind: 'purchase' };
  await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, topUp);
});

type Post = [path: string, body: object, other: object | null, status?: number];
let made = 0;

/** Each POST with a body it takes, and another one. */
async function posts(): Promise<Post[]> {
  return [...(await postsOfA()), ...(await postsOfB())];
}

async function postsOfA(): Promise<Post[]> {
  const key = customer.testKey;
  const [verified, resent, cancelled] = await Promise.all(
    [0, 0, 3].map((digits) => customer.sendOtp({ phone_number: magicNumber(digits) }, { key })),
  );
  for (const sent of [verified, resent]) {
    await customer.otpWith('delivered', sent!.json.id, { key });
  }
  const attempt = { otp_id: verified!.json.id, code: 'wrong' };
  const number = { phone_number: freshNumber() };
  return [
    ['/v1/otp/send', number, { ...number, code_length: 4 }],
    ['/v1/otp/verify', attempt, { ...attempt, code: 'other' }],
    [`/v1/otp/${resent!.json.id}/resend`, {}, null],
    [`/v1/otp/${cancelled!.json.id}/cancel`, {}, null],
    ['/v1/sms/send', { ...number, message: 'One' }, { ...number, message: 'Two' }],
    ['/v1/quote', { kind: 'otp', ...number }, { kind: 'sms', message: 'Two', ...number }],
  ];
}

async function postsOfB(): Promise<Post[]> {
  const key = customer.testKey;
  const create = async (path: string, body: object) =>
    (await customer.post(path, body, { key })).json.id as string;
  made += 1;
  const sms = { to: freshNumber(), from: 'Acme', body: 'One' };
  const later = { ...sms, send_at: new Date(Date.now() + 3_600_000).toISOString() };
  const template = { name: `Order ${made}`, body: 'Hi {{name}}.' };
  const webhook = { url: 'http://127.0.0.1:1024/hook', events: ['sms.failed'] };
  const email = { from: 'a@acme.example', to: 'delivered@sim.test', subject: 'Hi', text: 'One' };
  const [one, two] = [
    { ...email, text: 'Two' },
    { ...email, to: 'none' },
  ];
  const emailId = await create('/v1/emails', { ...email, send_at: later.send_at });
  const [scheduledId, templateId, domainId, webhookId] = [
    await create('/v1/sms', later),
    await create('/v1/sms-templates', template),
    await create('/v1/domains', { name: `made${made}.example.com` }),
    await create('/v1/webhooks', webhook),
  ];
  const { json: tried } = await customer.post(`/v1/webhooks/${webhookId}/test`, {}, { key });
  const application = {
    ...{ sender_id: `Acme ${made}`, countries: ['NG'], registered_entity: 'Acme Ltd' },
    ...{ use_case: 'Order updates', sample_message: 'Your order 1 is on its way.' },
  };
  const messages = [{ to: freshNumber(), body: 'Hi' }, { to: 'bad' }];
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  return [
    ['/v1/sms', sms, { ...sms, body: 'Two' }, 202],
    ['/v1/sms/batch', { from: 'Acme', messages }, { from: 'Other', messages }, 202],
    [`/v1/sms/${scheduledId}/cancel`, {}, null],
    ['/v1/emails', email, one, 202],
    ['/v1/emails/batch', [email, two], [one, two], 202],
    [`/v1/emails/${emailId}/cancel`, {}, null],
    ['/v1/sender-ids', application, { ...application, notes: 'Two' }, 201],
    ['/v1/sms-templates', template, { ...template, body: 'Two' }, 201],
    [
      `/v1/sms-templates/${templateId}/render`,
      { variables: { name: 'Ada' } },
      { variables: { name: 'Bob' } },
    ],
    ['/v1/suppressions', { address: `ada${made}@example.com` }, { address: 'b@example.com' }, 201],
    ['/v1/domains', { name: `other${made}.example.com` }, { name: 'two.example.com' }, 201],
    [`/v1/domains/${domainId}/verify`, {}, null],
    ['/v1/webhooks', webhook, { ...webhook, events: ['*'] }, 201],
    [`/v1/webhooks/${webhookId}/rotate-secret`, {}, null],
    [`/v1/webhooks/${webhookId}/test`, { type: 'sms.sent' }, { type: 'sms.failed' }],
    [`/v1/webhook-deliveries/${tried.id}/replay`, {}, null, 202],
    [`/v1/webhooks/${webhookId}/recover`, { since: at(10) }, { since: at(20) }, 202],
  ];
}

describe('an Idempotency-Key', () => {
  it('8: idempotency POST: every POST under /v1 replays its answer', async () => {
    for (const [path, body, other, status = 200] of await posts()) {
      const send = { key: customer.testKey, headers: { 'idempotency-key': randomUUID() } };
      const first = await customer.post(path, body, send);
      const again = await customer.post(path, body, send);
      expect([path, first.status, first.headers['idempotent-replayed']]).toEqual([
        ...[path, status, undefined],
      ]);
      expect([path, again.status, again.headers['idempotent-replayed']]).toEqual([
        ...[path, status, 'true'],
      ]);
      expect(again.text).toBe(first.text);
      if (other === null) continue;
      expectError(await customer.post(path, other, send), 409, 'idempotency_conflict');
    }
  });

  it('decisions 7: stored: 2xx are replayed with Idempotent-Replayed: true', async () => {
    const number = freshNumber();
    await suite.scenario({ to: number, receipts: [{ after_ms: 900, outcome: 'delivered' }] });
    const { json } = await customer.sendOtp({ phone_number: number });
    await suite.handsetWith(1, number);
    const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
    const [ofVerify, ofCancel] = [keyed(), keyed()];
    const verified = await customer.verify(json.id, 'wrong', ofVerify);
    await customer.verify(json.id, 'other');
    const cancelled = await customer.post(`/v1/otp/${json.id}/cancel`, undefined, ofCancel);
    // The receipt comes after the end. The answers are still the same.
    const marker = freshNumber();
    await suite.scenario({ to: marker, receipts: [{ after_ms: 1_200, outcome: 'delivered' }] });
    const later = await customer.sendOtp({ phone_number: marker });
    await customer.otpWith('delivered', later.json.id);
    const replays = [
      [verified, await customer.verify(json.id, 'wrong', ofVerify)],
      [cancelled, await customer.post(`/v1/otp/${json.id}/cancel`, undefined, ofCancel)],
    ] as const;
    for (const [first, again] of replays) {
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
    }
  });

  it('8: idempotency key has at most 255 characters', async () => {
    for (const [path, body, , status = 200] of await posts()) {
      const keyed = (length: number) => ({
        key: customer.testKey,
        headers: { 'idempotency-key': 'k'.repeat(length) },
      });
      expectError(await customer.post(path, body, keyed(256)), 400, 'validation_error');
      const { status: taken } = await customer.post(path, body, keyed(255));
      expect([path, taken]).toEqual([path, status]);
    }
  });
});
