/** Test mode of email, what a list filters by, and its bounds: decisions 20, 26; domain/sms.md 8.5. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifiedDomain } from '../support/records.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const FROM = 'Acme <hello@acme.example>';
const DAY_MS = 86_400_000;
const EVENTS = ['sent', 'delivered', 'delayed', 'bounced', 'opened', 'clicked'];
let customer: Customer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const limits = { variant_b_per_second: null, variant_b_burst: null };
  customer = await suite.customer({ credits: 0, settings: { limits } });
  receiver = await WebhookReceiver.start();
  const events = EVENTS.map((name) => `email.${name}`);
  const created = await customer.post('/v1/webhooks', { url: `${receiver.url}/b`, events });
  expect(created.status).toBe(201);
});

afterAll(() => receiver.close());

const post = (body: Record<string, unknown>) =>
  customer.post(
    '/v1/emails',
    { from: FROM, to: 'delivered@sim.test', subject: 'Hello', text: 'Hi', ...body },
    { key: customer.testKey },
  );

async function sent(body: Record<string, unknown>): Promise<string> {
  const { status, json } = await post(body);
  expect({ status, json }).toMatchObject({ status: 202 });
  return json.id as string;
}

const record = async (id: string) =>
  (await customer.get(`/v1/emails/${id}`, { key: customer.testKey })).json;
const until = (id: string, holds: (email: Record<string, unknown>) => boolean) =>
  waitUntil(`email ${id}`, async () => {
    const email = await record(id);
    return holds(email) ? email : undefined;
  });
/** Returns the data of an email's events in order, once there are this many. */
const eventsOf = (id: string, count: number) =>
  waitUntil(`${count} events of ${id}`, () => {
    // A delivery with a late answer is repeated under the same id.
    const own = receiver.received.filter(({ json }) => json.data.email_id === id);
    const once = new Map(own.map(({ json }) => [json.id as string, json]));
    const events = [...once.values()].toSorted((one, other) => one.sequence - other.sequence);
    return events.length >= count ? events : undefined;
  });
const ACCEPTED = { provider: 'simulator_1', ok: true, error_code: null };

describe('domain 8.5: a test email', () => {
  it.each([
    ['opened', { open_count: 1, click_count: 0 }, ['opened']],
    ['clicked', { open_count: 1, click_count: 1 }, ['opened', 'clicked']],
    ['machineopened', { open_count: 0, click_count: 0 }, ['opened']],
  ])(
    'decisions 26: a test email to %s@ is delivered, then touched',
    async (local, counts, touches) => {
      const to = `${local}+label@sim.test`;
      // With and without tracking.
      const id = await sent({ to });
      const events = await eventsOf(id, 2 + touches.length);
      const names = ['sent', 'delivered', ...touches].map((name) => `email.${name}`);
      expect(events.map(({ type }) => type)).toEqual(names);
      const opened = events.find(({ type }) => type === 'email.opened');
      expect(opened.data).toMatchObject({
        recipient: to,
        open: { machine_open: local === 'machineopened' },
        ...(local === 'clicked' ? {} : counts),
      });
      if (local === 'clicked') {
        const click = { url: expect.any(String), machine_click: false };
        expect(events.at(-1).data).toMatchObject({ ...counts, click });
      }
      const email = await record(id);
      expect(email).toMatchObject({ status: 'delivered', test_mode: true, ...counts });
      expect(email.provider_attempts).toMatchObject([{ ...ACCEPTED, recipient: to }]);
      const sentHop = { status: 'sent', recipient: to, provider: 'simulator_1' };
      expect(email.timeline).toContainEqual(expect.objectContaining(sentHop));
      expect(email.recipients).toEqual([{ address: to, status: 'delivered' }]);
    },
  );

  it('a test email to softbounced@ is deferred twice, then bounced', async () => {
    const id = await sent({ to: 'softbounced@sim.test' });
    const email = await until(id, ({ status }) => status === 'bounced');
    const bounce = { type: 'transient', sub_type: 'mailbox_full' };
    expect(email.recipients).toMatchObject([{ status: 'bounced', bounce }]);
    const codes = email.provider_attempts.map((one: { error_code: string }) => one.error_code);
    expect(codes).toEqual(['452 4.2.2', '452 4.2.2', '552 5.2.2']);
    const events = await eventsOf(id, 2);
    expect(events.map(({ type }) => type)).toEqual(['email.delayed', 'email.bounced']);
    expect(events[1].data).toMatchObject({ status: 'bounced', bounce });
    const { json } = await customer.get('/v1/suppressions?channel=email');
    expect(json.data).toEqual([]);
  });
});

describe('decisions 17, 25: only magic addresses refuse a test email', () => {
  it('decisions 25: an address of the shared suppression list takes a test email, and no live one', async () => {
    const to = 'listed@example.com';
    const added = await customer.post(
      '/v1/suppressions',
      { address: to },
      { key: customer.testKey },
    );
    expect(added.status).toBe(201);
    const domain = await verifiedDomain(suite, customer);
    const live = { from: `hello@${domain}`, to, subject: 'Hello', text: 'Hi' };
    const refused = await customer.post('/v1/emails', live);
    expectError(refused, 400, 'address_suppressed', 'to');
    const key = customer.testKey;
    const { json: batch } = await customer.post('/v1/emails/batch', [live], { key });
    expect(batch).toMatchObject({ accepted: 1, failed: 0 });
    const { json: quote } = await customer.post('/v1/quote', { kind: 'email', ...live }, { key });
    const verdicts = (quote.gates as { verdict: string }[]).map(({ verdict }) => verdict);
    expect(verdicts).not.toContain('refuse');
    const sendAt = new Date(Date.now() + 1_000).toISOString();
    for (const more of [{}, { category: 'marketing' }, { send_at: sendAt }]) {
      const id = await sent({ to, ...more });
      await until(id, ({ status }) => status === 'delivered');
    }
    const { json } = await customer.get('/v1/suppressions?channel=email');
    expect(json.data).toMatchObject([{ address: to, origin: 'manual', scope: 'all' }]);
    await suite.http.delete(`/v1/suppressions/${to}`, { key });
  });
});

describe('decisions 20: the list of emails', () => {
  const tag = `t${Date.now()}`;
  const ids = async (query: string) => {
    const path = `/v1/emails?tag=${tag}&${query}`;
    const { status, json } = await customer.get(path, { key: customer.testKey });
    expect({ status, json }).toMatchObject({ status: 200 });
    return (json.data as { id: string }[]).map(({ id }) => id);
  };
  let first: string;
  let second: string;

  beforeAll(async () => {
    first = await sent({
      tags: [tag],
      to: ['Ada <Ada@sim.test>', 'bob@sim.test', 'Zed@EXÄMPLE.test'],
    });
    await until(first, ({ status }) => status === 'delivered');
    const sentAt = Date.now();
    await waitUntil('the next millisecond', () => Date.now() > sentAt);
    const from = 'Other <other@acme.example>';
    second = await sent({ tags: [tag], from, to: 'bounced@sim.test' });
    await until(second, ({ status }) => status === 'bounced');
  });

  it('the list of emails filters by a recipient', async () => {
    expect(await ids('to=ada@sim.test')).toEqual([first]);
    expect(await ids('to=BOB@sim.test')).toEqual([first]);
    expect(await ids('to=bounced@sim.test')).toEqual([second]);
    for (const to of ['Zed@EXÄMPLE.test', 'zed@xn--exmple-cua.test', 'Zed <zed@exämple.test>']) {
      expect(await ids(`to=${encodeURIComponent(to)}`)).toEqual([first]);
    }
    expect(await ids('to=nobody@sim.test')).toEqual([]);
  });

  it('decisions 26: the list of emails filters by exclusive moments', async () => {
    const [at1, at2] = [(await record(first)).created_at, (await record(second)).created_at];
    expect(await ids(`created_after=${at1}`)).toEqual([second]);
    expect(await ids(`created_before=${at2}`)).toEqual([first]);
    expect(await ids(`created_after=${at1}&created_before=${at2}`)).toEqual([]);
    const before = new Date(Date.parse(at1) - 1).toISOString();
    expect(await ids(`created_after=${before}`)).toEqual([second, first]);
    const key = customer.testKey;
    const odd = await customer.get('/v1/emails?created_after=soon', { key });
    expectError(odd, 400, 'validation_error', 'created_after');
  });
});

describe('decisions 20: an email has', () => {
  const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-N-${index}`, 'a']));
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

  it.each([
    ['at most 10 tags', 'tags', tags(10), tags(11)],
    ['at most 20 headers', 'headers', headers(20), headers(21)],
    ['a send_at of at most 30 days ahead', 'send_at', inDays(29), inDays(31)],
  ])('%s', async (_, field, most, over) => {
    const id = await sent({ [field]: most });
    expect((await record(id))[field]).toEqual(most);
    expectError(await post({ [field]: over }), 400, 'validation_error', field);
  });
});
