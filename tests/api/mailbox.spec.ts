/**
 * The whole life of a live email, against the relay, the name server and the reports of the carrier
 * simulator: decisions 20 and 26.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { untilVerified } from '../support/records.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const DOMAIN = `mail-${randomUUID()}.example`;
let customer: Customer;
let records: { name: string; value: string }[];

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 1_000, settings: { limits } });
  const { json } = await customer.post('/v1/domains', { name: DOMAIN });
  records = json.records;
  // Added in the form that the domain shows, so that concurrent specs keep theirs.
  const answer = await suite.system.simulator.post('/_simulator/dns', { records });
  expect(answer.status).toBe(201);
  await untilVerified(customer, json.id);
});

const address = (name: string) => `${name}-${randomUUID()}@example.com`;
const send = (to: string, more: Record<string, unknown> = {}) =>
  customer.post('/v1/emails', {
    from: `Acme <hello@${DOMAIN}>`,
    to,
    subject: 'Grüße 🎉',
    html: '<p>Hello <b>Ada</b></p>',
    ...more,
  });
const until = (id: string, status: string) =>
  waitUntil(`${id} is ${status}`, async () => {
    const { json } = await customer.get(`/v1/emails/${id}`);
    return json.status === status ? json : undefined;
  });
const mailbox = async (to: string) => {
  const { json } = await suite.system.simulator.get(
    `/_simulator/emails?to=${encodeURIComponent(to)}`,
  );
  return json as { from: string; subject: string; raw: string }[];
};
const scenario = (to: string, more: Record<string, unknown>) =>
  suite.scenario({ provider: 'smtp', to, ...more });

describe('a live email', () => {
  it('decisions 26: a live email reaches the mailbox, signed for its domain, and is delivered by a notification', async () => {
    const to = address('ada');
    const { status, json } = await send(to);
    expect(status).toBe(202);
    const record = await until(json.id, 'delivered');
    expect(await mailbox(to)).toEqual([
      {
        provider: 'smtp',
        from: expect.stringMatching(/^bounce\+/),
        to,
        subject: 'Grüße 🎉',
        raw: expect.any(String),
        received_at: expect.any(String),
      },
    ]);
    expect(record.timeline.map((step: { status: string }) => step.status)).toEqual([
      'queued',
      'sent',
      'delivered',
    ]);
    const [email] = await mailbox(to);
    expect(email!.subject).toBe('Grüße 🎉');
    expect(email!.from).toMatch(new RegExp(`^bounce\\+[a-z2-7]+@send\\.${DOMAIN}$`));
    const resolver = async (name: string) => {
      const found = records.find((one) => one.name === name);
      if (!found) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
      return [[found.value]];
    };
    const { results } = await dkimVerify(Buffer.from(email!.raw), { resolver });
    expect(
      results.map(({ status: verdict, signingDomain }) => [verdict.result, signingDomain]),
    ).toEqual([['pass', DOMAIN]]);
  });

  it('decisions 20: a live email bounces at once when the relay knows no such mailbox, and the address is suppressed', async () => {
    const to = address('gone');
    await scenario(to, { submit: { kind: 'refuse', code: '550 5.1.1' } });
    const record = await until((await send(to)).json.id, 'bounced');
    expect(record.recipients[0]).toMatchObject({
      status: 'bounced',
      bounce: { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1' },
    });
    expectError(await send(to), 400, 'address_suppressed', 'to');
  });

  it.each([
    ['5.1.1', 'permanent', true],
    ['5.2.2', 'transient', false],
  ])(
    'decisions 26: a live email bounces later by a notification: %s',
    async (code, type, isSuppressed) => {
      const to = address('later');
      await scenario(to, { receipts: [{ after_ms: 50, outcome: 'failed', code }] });
      const record = await until((await send(to)).json.id, 'bounced');
      expect(record.recipients[0].bounce).toMatchObject({ type });
      expect((await send(to)).status).toBe(isSuppressed ? 400 : 202);
    },
  );

  it('decisions 20: a live email leaves a suppression after a complaint, which only operators delete', async () => {
    const to = address('lasting');
    const receipts = [
      { after_ms: 20, outcome: 'delivered' },
      { after_ms: 100, outcome: 'complained' },
    ];
    await scenario(to, { receipts });
    await until((await send(to)).json.id, 'complained');
    const list = await customer.get('/v1/suppressions?channel=email');
    expect(list.json.data).toContainEqual(
      expect.objectContaining({ address: to, origin: 'complaint', scope: 'all' }),
    );
    for (const key of [customer.liveKey, customer.testKey]) {
      const answer = await suite.http.delete(`/v1/suppressions/${to}`, { key });
      expectError(answer, 409, 'conflict');
    }
    expectError(await send(to), 400, 'address_suppressed', 'to');
    const path = `/workspaces/${customer.id}/suppressions/${to}`;
    expect((await suite.operator.request('DELETE', path)).status).toBe(204);
    expect((await send(to)).status).toBe(202);
  });

  it('decisions 20: whose answer is lost is not sent twice, and its notification settles it', async () => {
    const to = address('lost');
    await scenario(to, { submit: { kind: 'accept_then_lose_answer' }, times: 1 });
    await until((await send(to)).json.id, 'delivered');
    expect(await mailbox(to)).toHaveLength(1);
  });

  it('decisions 26: a live email is not bounced by a notification from a person', async () => {
    const to = address('forged');
    const receipts = [
      { after_ms: 20, outcome: 'failed', forged: true },
      { after_ms: 300, outcome: 'delivered' },
    ];
    await scenario(to, { receipts });
    const record = await until((await send(to)).json.id, 'delivered');
    expect(record.recipients[0].status).toBe('delivered');
    expect((await send(to)).status).toBe(202);
  });
});
