/** Interface 3.1: the transitions of a one-time password, and the events of its webhook. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, type NumberingPlan, REFUSED_PLAN } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, type Scenario, expectError, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let customer: Customer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  customer = await suite.customer({ credits: 5_000 });
  receiver = await WebhookReceiver.start();
  await suite.operator.putWebhook(customer.workspace, receiver.url);
});

afterAll(() => receiver.close());

async function sendTo(scenario: Scenario, body = {}, plan: NumberingPlan = 'GB') {
  const number = freshNumber(plan);
  await suite.scenario({ to: number, ...scenario });
  const { status, json } = await customer.sendOtp({ phone_number: number, ...body });
  expect(status).toBe(200);
  return { number, json, id: json.id as string };
}

const eventOf = (event: string, id: string) =>
  waitUntil(`${event} of ${id}`, () => receiver.events(event, id)[0]?.json);

const entriesOf = async (id: string) =>
  (await customer.ledger()).filter((one) => one['message_id'] === id).map(({ kind }) => kind);

/** Milliseconds. Shorter than the time-out of a provider; a receipt would end it. */
const SLOW_MS = 4_500;
const slow: Scenario = { submit: { kind: 'accept', delay_ms: SLOW_MS }, receipts: [] };
const silent: Scenario = { receipts: [] };

describe('an OTP', () => {
  it('3.1: send is pending: persisted, charged and queued', async () => {
    const { json, id, record } = await earlyEnough(
      async () => {
        const sent = await sendTo(slow);
        return { ...sent, record: (await customer.getOtp(sent.id)).json };
      },
      ({ record }) => record.status === 'pending',
    );
    expect(json.status).toBe('pending');
    expect(record).toMatchObject({ status: 'pending', sent_at: null });
    expect(await entriesOf(id)).toEqual(['charge']);
  });

  it('3.1: accepted: a provider took it: sent, and otp.sent fires', async () => {
    const { id } = await sendTo(silent);
    await customer.otpWith('sent', id);
    const { data } = await eventOf('otp.sent', id);
    expect(data).toMatchObject({ id, status: 'sent', credit_cost: 45, country_code: 'GB' });
  });

  it('3.1: carrier failure: failed, and otp.failed fires with reason and refunded', async () => {
    const { id } = await sendTo({ receipts: [{ after_ms: 30, outcome: 'failed', code: 30005 }] });
    const record = await customer.otpWith('failed', id);
    const { data } = await eventOf('otp.failed', id);
    const end = { status: 'failed', reason: 'unknown_subscriber', refunded: true };
    expect(record).toMatchObject(end);
    expect(data).toMatchObject({ id, ...end });
    expect(await entriesOf(id)).toEqual(['refund', 'charge']);
  });

  it('3.1: right code verifies from any non-terminal state', async () => {
    const { early, verified } = await earlyEnough(
      async () => {
        const pending = await sendTo(slow);
        const code = await suite.codeAt(pending.number);
        const early = (await customer.getOtp(pending.id)).json;
        return { early, verified: (await customer.verify(pending.id, code)).json };
      },
      ({ early }) => early.status === 'pending',
    );
    expect(early.status).toBe('pending');
    expect(verified).toMatchObject({ status: 'verified' });
    const [sent, delivered] = [await sendTo(silent), await sendTo({})];
    for (const [status, { id, number }] of [
      ['sent', sent],
      ['delivered', delivered],
    ] as const) {
      await customer.otpWith(status, id);
      const { json } = await customer.verify(id, await suite.codeAt(number));
      expect(json).toMatchObject({ valid: true, status: 'verified' });
      expect((await customer.getOtp(id)).json.verified_at).not.toBeNull();
    }
  });

  it('4.1 rule 1: the outcome of an OTP comes by webhook and by polling alike', async () => {
    const refused: Scenario = { submit: { kind: 'refuse' } };
    const ways = [
      ['otp.sent', 'sent', await sendTo(silent)],
      ['otp.failed', 'failed', await sendTo(refused, {}, REFUSED_PLAN)],
    ] as const;
    for (const [event, status, { id }] of ways) {
      const record = await customer.otpWith(status, id);
      const { data } = await eventOf(event, id);
      for (const [name, value] of Object.entries(data)) {
        expect([name, record[name]]).toEqual([name, value]);
      }
    }
  });

  it('decisions 3: an OTP that is still pending at expires_at fails as expired and is refunded, and its verification is 409 otp_expired', async () => {
    const hangs = { submit: { kind: 'hang' } };
    const { id, number } = await sendTo(hangs, { ttl_seconds: 1 });
    const record = await customer.otpWith('failed', id);
    expect(record).toMatchObject({ reason: 'expired', refunded: true });
    expect(record.timeline.map((hop: { status: string }) => hop.status)).toEqual([
      ...['queued', 'failed'],
    ]);
    expectError(await customer.verify(id, '000000'), 409, 'otp_expired');
    expect(await suite.handset(number)).toEqual([]);
    expect(await entriesOf(id)).toEqual(['refund', 'charge']);
  });
});
