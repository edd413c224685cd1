/** Operators erase a person: ADR 97. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const REASON = 'Request 17.';
const erase = (to: string, reason = REASON) =>
  suite.operator.request('POST', '/erasures', { to, reason });
const found = async (to: string) => {
  const path = `/messages?to=${encodeURIComponent(to)}`;
  return (await suite.operator.request('GET', path)).json.data as unknown[];
};

async function deliveredSms(customer: Customer, to: string) {
  const metadata = { phone: to };
  const message = `Your parcel waits, call ${to}.`;
  const { json } = await customer.sendSms({ phone_number: to, message, metadata });
  return customer.smsWith('delivered', json.id as string);
}

describe('POST /operator/v1/erasures', () => {
  it('POST /operator/v1/erasures takes the number and the texts out of records and events, and leaves the rest', async () => {
    const customer = await suite.customer();
    const to = freshNumber();
    const sms = await deliveredSms(customer, to);
    const { json: otp } = await customer.sendOtp({ phone_number: to, metadata: { phone: to } });
    await waitUntil('both to be found', async () => (await found(to)).length === 2);
    await customer.otpWith('delivered', otp.id);
    await customer.verify(otp.id, await suite.codeAt(to));
    const verified = await customer.otpWith('verified', otp.id);
    await waitUntil('the last event to be sent', async () =>
      (await customer.get('/v1/events?after=0&limit=200')).text.includes('otp.verified'),
    );
    const ledger = await suite.operator.ledger(customer.workspace);

    const answer = await erase(to, `${to} asked, ticket 17.`);
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 202,
      json: {
        ...{ messages: 2, webhook_events: expect.any(Number), webhook_attempts: 0 },
        ...{ cancelled: 0, erased_later: 0 },
      },
    });
    const number = '+234•••••';
    expect((await customer.getSms(sms.id)).json).toEqual({
      ...sms,
      ...{ phone_number: number, to: number, metadata: {} },
      ...{ message: null, body: null, content_expired: true },
    });
    expect((await customer.getOtp(otp.id)).json).toEqual({
      ...verified,
      phone_number: number,
      metadata: {},
    });
    expect(await suite.operator.ledger(customer.workspace)).toEqual(ledger);
    expect(await found(to)).toEqual([]);
    const lists = [
      await customer.get(`/v1/events?after=0&limit=200`),
      await customer.get(`/v1/sms?limit=200`),
      await customer.get(`/v1/otp?limit=200`),
    ];
    for (const list of lists) {
      expect(list.status).toBe(200);
      expect(list.text).not.toContain(to.slice(1));
    }
    const audit = await suite.operator.request('GET', '/audit?limit=50');
    expect(audit.text).not.toContain(to.slice(1));
    const masked = `+234•••••${to.slice(-3)}`;
    const entry = audit.json.data.find(
      ({ effect }: { effect: { to?: string; messages?: number } | null }) =>
        effect?.to === masked && effect.messages === 2,
    );
    expect(entry).toMatchObject({
      path: '/operator/v1/erasures',
      effect: { reason: `${masked} asked, ticket 17.` },
    });
    expect((await erase(to)).json).toMatchObject({ messages: 0 });
  });

  it('decisions 28: an erasure cancels and refunds scheduled messages, and erases others when they end', async () => {
    const customer = await suite.customer();
    const to = freshNumber();
    await suite.scenario({ to, submit: { kind: 'accept' }, receipts: [] });
    const balance = await customer.balance();
    const sent = await customer.sendSms({ phone_number: to, message: 'On its way.' });
    await customer.smsWith('sent', sent.json.id as string);
    const paid = await customer.balance();
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = { to, from: 'Acme', body: 'Your parcel waits.', send_at };
    const live = await customer.post('/v1/sms', scheduled);
    const test = await customer.post('/v1/sms', scheduled, { key: customer.testKey });
    await waitUntil('the messages to be found', async () => (await found(to)).length === 3);
    expect(paid).toBeLessThan(balance);

    const { status, json } = await erase(to);
    expect([status, json.cancelled]).toEqual([202, 2]);
    const record = async (id: string, key = customer.liveKey) =>
      (await customer.get(`/v1/sms/${id}`, { key })).json;
    await waitUntil('the refund', async () => (await customer.balance()) === paid);
    // The record shows the end a moment after the ledger.
    await waitUntil('the end', async () => (await record(live.json.id)).status === 'cancelled');
    expect(await record(live.json.id)).toMatchObject({ refunded: true });
    expect(await record(test.json.id, customer.testKey)).toMatchObject({ to: '+234•••••' });
    expect(await record(sent.json.id as string)).toMatchObject({ to });
    expect((await erase(to)).json).toMatchObject({ cancelled: 0, erased_later: 1 });
    expect(await record(live.json.id)).toMatchObject({ to: '+234•••••', body: null });
  });

  it('POST /operator/v1/erasures takes an address out of an email, and leaves the other recipients', async () => {
    const customer = await suite.customer();
    const [gone, stays] = [1, 2].map(() => `delivered+${randomUUID()}@sim.test`) as [
      string,
      string,
    ];
    const words = { from: 'no-reply@acme.example', subject: 'Your invoice', text: 'Thank you.' };
    const sent = async (to: string[]) => {
      const body = { ...words, to, metadata: { who: to[0] } };
      const { status, json } = await customer.post('/v1/emails', body, { key: customer.testKey });
      expect(status).toBe(202);
      return json.id as string;
    };
    const ids = [await sent([`Ada <${gone}>`, stays]), await sent([gone])];
    const read = async (id: string) =>
      (await customer.get(`/v1/emails/${id}`, { key: customer.testKey })).json;
    for (const id of ids) {
      await waitUntil(`${id} to be delivered`, async () => (await read(id)).status === 'delivered');
    }
    expect((await erase(gone)).json).toMatchObject({ messages: 2 });
    const [shared, alone] = await Promise.all(ids.map(read));
    expect(shared).toMatchObject({
      to: ['erased@erased.invalid', stays],
      subject: 'Your invoice',
      text: 'Thank you.',
      recipients: [{ address: 'erased@erased.invalid', status: 'delivered' }, { address: stays }],
    });
    expect(alone).toMatchObject({
      to: ['erased@erased.invalid'],
      ...{ subject: '', text: null, html: null, content_expired: true, metadata: {} },
      status: 'delivered',
    });
    expect(JSON.stringify(alone)).not.toContain(gone);
    expect(await found(gone)).toEqual([]);
    expect(await found(stays)).toHaveLength(1);
  });

  it('POST /operator/v1/erasures needs a number or an address, and a reason', async () => {
    for (const to of ['2348031234567', '+23480', 'Ada', 'a@b@c', '']) {
      expectError(await erase(to), 400, 'validation_error', 'to');
    }
    expectError(await erase(freshNumber(), ''), 400, 'validation_error', 'reason');
  });
});
