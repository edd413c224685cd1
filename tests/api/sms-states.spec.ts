/** Interface 2.5 and 3.2, decisions 3 and 9: an SMS of variant A, its ends and its content. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, type NumberingPlan, REFUSED_PLAN } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, type Scenario, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const receivers: WebhookReceiver[] = [];
let customer: Customer;
let blocking: Customer;
let tagging: Customer;

/** A text that the rules certainly flag: a shortener, a threat and a question for the PIN. */
const phishing = 'URGENT: your account is blocked. Send your PIN at http://bit.ly/unblock-now';

beforeAll(async () => {
  customer = await listening({});
  blocking = await listening({ anti_spam: 'block' });
  tagging = await listening({ anti_spam: 'tag' });
});

afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

async function listening(settings: Record<string, unknown>): Promise<Customer> {
  const made = await suite.customer({ settings });
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  await suite.operator.putWebhook(made.workspace, receiver.url);
  return made;
}

const eventOf = (event: string, id: string) =>
  waitUntil(
    `${event} of ${id}`,
    () => receivers.flatMap((receiver) => receiver.events(event, id)).at(0)?.json,
  );

const kindsOf = async (by: Customer, id: string) =>
  (await by.ledger()).filter((one) => one['message_id'] === id).map(({ kind }) => kind);

async function sendTo(scenario: Scenario, plan: NumberingPlan = 'GB'): Promise<string> {
  const number = freshNumber(plan);
  await suite.scenario({ to: number, ...scenario });
  return (await customer.sendSms({ phone_number: number })).json.id as string;
}

describe('an SMS', () => {
  it('3.2: block: blocked, full refund, sms.blocked with the verdict', async () => {
    const number = freshNumber();
    const sent = await blocking.sendSms({ phone_number: number, message: phishing });
    expect(sent.json.status).toBe('pending');
    const record = await blocking.smsWith('blocked', sent.json.id);
    const end = { status: 'blocked', reason: 'antispam_blocked', refunded: true };
    expect(record).toMatchObject({ ...end, antispam: { flagged: true, action: 'block' } });
    const { data } = await eventOf('sms.blocked', sent.json.id);
    expect(data).toMatchObject({
      id: sent.json.id,
      phone_number: number,
      message: phishing,
      ...end,
    });
    expect(data.antispam).toEqual(record.antispam);
    expect(await kindsOf(blocking, sent.json.id)).toEqual(['refund', 'charge']);
    expect(await blocking.balance()).toBe(1_000);
    expect(await suite.handset(number)).toEqual([]);
  });

  it('3.2: tag goes on, tagged in metadata, and is delivered', async () => {
    const metadata = { order: 'A-1' };
    const { json } = await tagging.sendSms({ message: phishing, metadata });
    const record = await tagging.smsWith('delivered', json.id);
    expect(record.metadata).toMatchObject({
      order: 'A-1',
      antispam: {
        label: expect.any(String),
        score: expect.any(Number),
        reasons: expect.any(Array),
      },
    });
    expect(await kindsOf(tagging, json.id)).toEqual(['charge']);
  });

  it('3.2: carrier failure: failed, and sms.failed fires with reason and refunded', async () => {
    const id = await sendTo({ receipts: [{ after_ms: 20, outcome: 'failed', code: 30003 }] });
    const record = await customer.smsWith('failed', id);
    const end = { status: 'failed', reason: 'absent_subscriber', refunded: true };
    expect(record).toMatchObject(end);
    expect((await eventOf('sms.failed', id)).data).toMatchObject({ id, ...end });
    expect(await kindsOf(customer, id)).toEqual(['refund', 'charge']);
  });

  it('3.2: every provider refuses: failed, and sms.failed fires with reason and refunded', async () => {
    const id = await sendTo({ submit: { kind: 'refuse' } }, REFUSED_PLAN);
    const record = await customer.smsWith('failed', id);
    const end = { status: 'failed', reason: 'no_route', refunded: true };
    expect(record).toMatchObject(end);
    expect((await eventOf('sms.failed', id)).data).toMatchObject({ id, ...end });
    expect(await kindsOf(customer, id)).toEqual(['refund', 'charge']);
  });
});

describe('a failure', () => {
  it('decisions 9: anti-spam: rules by default, an optional classifier over HTTP behind the same port, never OTPs', async () => {
    const off = await customer.sendSms({ message: phishing });
    expect(await customer.smsWith('delivered', off.json.id)).not.toHaveProperty('antispam');
    const { json } = await blocking.sendSms({ message: phishing });
    const blocked = await blocking.smsWith('blocked', json.id);
    expect(blocked.antispam.model).toBe('rules');
    const otp = await blocking.sendOtp();
    await blocking.otpWith('delivered', otp.json.id);
  });
});
