/**
 * Rules of senders by country, and quiet hours of promotional SMS, by URL: domain facts 6.1, ADR 92. The
 * countries of these rules are of no other spec, because rules hold for the whole installation.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from '../support/agent.js';
import { freshNumber, type NumberingPlan } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

// Defined before the system is, so that it is done before the system is closed.
afterAll(async () => {
  await suite.operator.request('PATCH', '/settings', { shared_sender_ids: [] });
  expect((await suite.operator.request('PUT', '/sender-rules', before)).status).toBe(200);
});

const suite = useSystem();
const HOUR_MS = 3_600_000;
const SHARED = 'SharedName';

let customer: Customer;
let quietUntil: string;
// oxlint-disable-next-line no-explicit-any -- rules as the API shows them
let before: any;

const rule = (change: object = {}) => ({
  alphanumeric: 'allowed',
  length_min: 3,
  reserved_words: [],
  quiet_hours: null,
  last_checked: '2026-11-22',
  ...change,
});
const put = (rules: object) => suite.operator.request('PUT', '/sender-rules', rules);
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

/** Rules with quiet hours in CM that began an hour ago and end in two. */
function rules() {
  const now = Date.now();
  const end = now + 2 * HOUR_MS;
  quietUntil = new Date(end - (end % 60_000)).toISOString();
  const windows = [{ from: clock(now - HOUR_MS), to: clock(end) }];
  return {
    enforcement: 'enforce',
    countries: {
      CM: rule({ quiet_hours: { time_zone: 'UTC', windows } }),
      RW: rule({ reserved_words: ['INFO'] }),
      SN: rule({ alphanumeric: 'registered' }),
      TZ: rule({ alphanumeric: 'replaced', reserved_words: ['INFO'] }),
      UG: rule({ alphanumeric: 'forbidden' }),
    },
  };
}

beforeAll(async () => {
  customer = await suite.customer({ credits: 100_000 });
  before = (await suite.operator.request('GET', '/sender-rules')).json;
  expect((await put(rules())).status).toBe(200);
  const shared_sender_ids = [SHARED];
  await suite.operator.request('PATCH', '/settings', { shared_sender_ids });
});

const sendB = (country: NumberingPlan, body: object = {}, who = customer) =>
  who.post('/v1/sms', { to: freshNumber(country), from: 'Acme', body: 'Hello', ...body });
const sendA = (country: NumberingPlan, body: object = {}, who = customer) =>
  who.sendSms({ phone_number: freshNumber(country), sender_id: 'Acme', ...body });

async function gate(name: string, body: object, who = customer) {
  const { status, json } = await who.post('/v1/quote', { kind: 'sms', ...body });
  expect(status).toBe(200);
  return json.gates.find((one: { gate: string }) => one.gate === name);
}

describe('the rules of senders', () => {
  it('the rules of senders refuse nothing by default, and have a day on which each was checked', () => {
    expect(before.enforcement).toBe('log');
    expect(Object.keys(before.countries)).toEqual(
      expect.arrayContaining(['NG', 'KE', 'GH', 'ZA', 'GB', 'BJ', 'CI', 'US']),
    );
    for (const one of Object.values<{ last_checked: string }>(before.countries)) {
      expect(one.last_checked).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it.each<[string, NumberingPlan, string]>([
    ['letters are forbidden', 'UG', 'Acme'],
    ['it is a reserved word', 'RW', 'in-fo'],
    ['it is too short', 'RW', 'Ac'],
    ['it is not registered', 'SN', 'Acme'],
  ])(
    'domain 6.1: the rules of senders refuse a sender ID where %s, in every way to send',
    async (_, country, from) => {
      expectError(await sendB(country, { from }), 400, 'sender_id_invalid', 'from');
      expectError(await sendA(country, { sender_id: from }), 400, 'sender_id_invalid', 'sender_id');
      const to = freshNumber(country);
      const messages = [{ to }, { to: freshNumber() }];
      const batch = await customer.post('/v1/sms/batch', {
        from,
        messages: messages.map((one) => ({ ...one, body: 'Hi' })),
      });
      expect(batch.json.data[0].error).toMatchObject({ type: 'sender_id_invalid', field: 'from' });
      expect(batch.json.data[1].sms.from).toBe(from);
      const refused = { verdict: 'refuse', type: 'sender_id_invalid' };
      expect(await gate('sender_id', { to, from, body: 'Hi' })).toMatchObject(refused);
      const agent = await Agent.of(suite, customer);
      const sent = await agent.call('send_sms', { to, from, body: 'Hi' });
      expect([sent.isError, sent.body.error.type]).toEqual([true, 'sender_id_invalid']);
    },
  );

  it('domain 6.1: the rules of senders take a registered sender ID once it is approved there, and a shared one at once', async () => {
    const who = await suite.customer({ credits: 1_000 });
    const topUp = { credits: 10_000, kind: 'purchase' };
    await suite.operator.request('POST', `/workspaces/${who.id}/top-ups`, topUp);
    const application = {
      sender_id: 'Baobab',
      countries: ['SN'],
      registered_entity: 'Baobab SA',
      use_case: 'Orders',
      sample_message: 'Your order is on its way.',
    };
    const { json } = await who.post('/v1/sender-ids', application);
    expectError(await sendB('SN', { from: 'Baobab' }, who), 400, 'sender_id_invalid', 'from');
    const review = { countries: ['SN'], status: 'approved' };
    await suite.operator.request('POST', `/sender-ids/${json.id}/reviews`, review);
    expect((await sendB('SN', { from: 'Baobab' }, who)).status).toBe(202);
    expect((await sendB('SN', { from: SHARED }, who)).status).toBe(202);
  });

  it('domain 6.1: only remark on a sender ID that handsets replace, and on none without a rule', async () => {
    const to = freshNumber('TZ');
    expect(await gate('sender_id', { to, from: 'Acme', body: 'Hi' })).toEqual({
      gate: 'sender_id',
      verdict: 'warn',
      message: expect.stringMatching(
        /^Handsets in the destination country \(Tanzania\) show a number instead of "Acme"/,
      ),
    });
    expect((await sendB('TZ', { to })).status).toBe(202);
    expect((await suite.handsetWith(1, to))[0]!.from).toBe('Acme');
    for (const from of ['Ac', 'Info']) expect((await sendB('TZ', { from })).status).toBe(202);
    expect((await sendB('NG')).status).toBe(202);
  });

  it('the rules of senders say nothing about a send without a sender ID, a one-time password or a test key', async () => {
    expect((await sendA('UG', { sender_id: undefined })).status).toBe(200);
    expect((await customer.sendOtp({ phone_number: freshNumber('UG') })).status).toBe(200);
    const body = { to: freshNumber('UG'), from: 'Acme', body: 'Hi' };
    expect((await customer.post('/v1/sms', body, { key: customer.testKey })).status).toBe(202);
  });
});

describe('quiet hours', () => {
  const category = 'promotional';
  const keeping = (quiet_hours: string) =>
    suite.customer({ credits: 10_000, settings: { quiet_hours } });

  it('domain 6.1: quiet hours hold for promotional messages of workspaces that want it: refuse', async () => {
    const who = await keeping('refuse');
    const refused = await sendB('CM', { category }, who);
    expectError(refused, 400, 'validation_error', 'category');
    expect(refused.json.error.message).toContain(quietUntil);
    expectError(await sendA('CM', { category }, who), 400, 'validation_error', 'category');
    const messages = [{ to: freshNumber('CM'), body: 'Hi', category }];
    const batch = await who.post('/v1/sms/batch', { from: 'Acme', messages });
    expect(batch.json.data[0].error).toMatchObject({ type: 'validation_error', field: 'category' });
    const quoted = { to: freshNumber('CM'), from: 'Acme', body: 'Hi', category };
    expect(await gate('content', quoted, who)).toMatchObject({
      verdict: 'refuse',
      type: 'validation_error',
    });
    expect((await sendB('CM', {}, who)).status).toBe(202);
    expect((await sendB('CM', { category: 'transactional' }, who)).status).toBe(202);
    expect((await sendB('RW', { category }, who)).status).toBe(202);
    const send_at = new Date(Date.now() + 4 * HOUR_MS).toISOString();
    const later = await sendB('CM', { category, send_at }, who);
    expect([later.status, later.json.send_at]).toEqual([202, send_at]);
    expect((await who.post(`/v1/sms/${later.json.id}/cancel`, {})).status).toBe(200);
  });

  it('domain 6.1: quiet hours hold for promotional messages of workspaces that want it: delay', async () => {
    const who = await keeping('delay');
    const sent = await sendB('CM', { category }, who);
    expect([sent.status, sent.json]).toMatchObject([
      202,
      { status: 'scheduled', send_at: quietUntil },
    ]);
    const record = (await who.getSms(sent.json.id)).json;
    expect(record).toMatchObject({ status: 'scheduled', category, send_at: quietUntil });
    const ofA = await sendA('CM', { category }, who);
    expect([ofA.status, ofA.json.status]).toEqual([200, 'pending']);
    expect((await who.smsWith('pending', ofA.json.id)).send_at).toBe(quietUntil);
    const quoted = { to: freshNumber('CM'), from: 'Acme', body: 'Hi', category };
    expect(await gate('content', quoted, who)).toEqual({
      gate: 'content',
      verdict: 'warn',
      message: expect.stringContaining(quietUntil),
    });
    for (const { id } of [sent.json, ofA.json]) {
      expect((await who.post(`/v1/sms/${id}/cancel`, {})).status).toBe(200);
    }
    expect(await who.balance()).toBe(10_000);
  });

  it('domain 6.1: quiet hours hold for nobody by default; the record names the category of a promotional message', async () => {
    const to = freshNumber('CM');
    const sent = await sendB('CM', { to, category });
    expect([sent.status, sent.json.status]).toEqual([202, 'queued']);
    expect((await suite.handsetWith(1, to))[0]!.body).toBe('Hello');
    expect(await customer.smsWith('delivered', sent.json.id)).toMatchObject({ category });
    const usual = await sendB('CM');
    expect((await customer.getSms(usual.json.id)).json).not.toHaveProperty('category');
    expectError(await sendB('CM', { category: 'urgent' }), 400, 'validation_error', 'category');
  });
});
