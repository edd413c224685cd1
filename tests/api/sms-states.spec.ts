/** Interface 2.5 and 3.2, decisions 3 and 9: an SMS of variant A, its ends and its content. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { earlyEnough } from '../support/early-enough.js';
import { freshNumber, magicNumber, type NumberingPlan, REFUSED_PLAN } from '../support/numbers.js';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, type Scenario, expectError, useSystem } from '../support/suite.js';
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

const told = (event: string, id: string) =>
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
  it('2.5 status values: are pending, sent, delivered, failed and blocked', async () => {
    const submit = { kind: 'accept', delay_ms: 4_500 };
    const early = await earlyEnough(
      async () => customer.getSms(await sendTo({ submit })),
      ({ json }) => json.status === 'pending',
    );
    expect(early.json.status).toBe('pending');
    await customer.smsWith('sent', await sendTo({ receipts: [] }));
    const key = customer.testKey;
    for (const [digits, status] of [
      [0, 'delivered'],
      [15, 'failed'],
      [40, 'blocked'],
    ] as const) {
      const { json } = await customer.sendSms({ phone_number: magicNumber(digits) }, { key });
      await customer.smsWith(status, json.id, { key });
    }
  });

  it('3.2 send: is pending: charged and queued for dispatch', async () => {
    const answer = await customer.sendSms();
    expect([answer.status, answer.json.status]).toEqual([200, 'pending']);
    expect(await kindsOf(customer, answer.json.id)).toEqual(['charge']);
  });

  it('3.2 block: blocked, full refund, sms.blocked with the verdict', async () => {
    const number = freshNumber();
    const sent = await blocking.sendSms({ phone_number: number, message: phishing });
    expect(sent.json.status).toBe('pending');
    const record = await blocking.smsWith('blocked', sent.json.id);
    const end = { status: 'blocked', reason: 'antispam_blocked', refunded: true };
    expect(record).toMatchObject({ ...end, antispam: { flagged: true, action: 'block' } });
    const { data } = await told('sms.blocked', sent.json.id);
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

  it('3.2 tag: goes on, tagged in metadata, and is delivered', async () => {
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

  it('2.5 tagged metadata: anti-spam may tag it', async () => {
    const flagged = await tagging.sendSms({ message: phishing });
    const clean = await tagging.sendSms({ message: 'Your order has shipped.' });
    expect((await tagging.smsWith('delivered', flagged.json.id)).metadata).toHaveProperty(
      'antispam',
    );
    expect((await tagging.smsWith('delivered', clean.json.id)).metadata).toEqual({});
  });

  it('3.2 carrier failure: failed, and sms.failed fires with reason and refunded', async () => {
    const id = await sendTo({ receipts: [{ after_ms: 20, outcome: 'failed', code: 30003 }] });
    const record = await customer.smsWith('failed', id);
    const end = { status: 'failed', reason: 'absent_subscriber', refunded: true };
    expect(record).toMatchObject(end);
    expect((await told('sms.failed', id)).data).toMatchObject({ id, ...end });
    expect(await kindsOf(customer, id)).toEqual(['refund', 'charge']);
  });

  it('3.2 every provider refuses: failed, and sms.failed fires with reason and refunded', async () => {
    const id = await sendTo({ submit: { kind: 'refuse' } }, REFUSED_PLAN);
    const record = await customer.smsWith('failed', id);
    const end = { status: 'failed', reason: 'no_route', refunded: true };
    expect(record).toMatchObject(end);
    expect((await told('sms.failed', id)).data).toMatchObject({ id, ...end });
    expect(await kindsOf(customer, id)).toEqual(['refund', 'charge']);
  });
});

describe('the body of a send', () => {
  it('decisions 3 phone_number: is required of an SMS', async () => {
    const answer = await customer.post('/v1/sms/send', { message: 'Hello' });
    expectError(answer, 400, 'validation_error', 'phone_number');
  });

  it('decisions 3 message: is required and has 1 to 1600 characters', async () => {
    for (const message of [undefined, null, '', 5, 'x'.repeat(1_601)]) {
      expectError(await customer.sendSms({ message }), 400, 'validation_error', 'message');
    }
    expect((await customer.sendSms({ message: 'x' })).status).toBe(200);
  });

  it('decisions 3 sender_id: has at most 11 characters', async () => {
    const number = freshNumber();
    const longest = { phone_number: number, sender_id: 'Elevenchars' };
    expect((await customer.sendSms(longest)).status).toBe(200);
    const [{ from } = { from: '' }] = await suite.handsetWith(1, number);
    expect(from).toBe('Elevenchars');
    const over = await customer.sendSms({ sender_id: 'Elevenchars1' });
    expectError(over, 400, 'sender_id_invalid', 'sender_id');
  });

  it('decisions 9 rewriting: touches only what GSM-7 cannot carry; the original is kept', async () => {
    const number = freshNumber();
    const message = '“₦5,000” paid — thanks 🎉 à bientôt £3 €2';
    const sent = await customer.sendSms({ phone_number: number, message });
    const carried = '"NGN5,000" paid - thanks à bientôt £3 €2';
    expect(sent.json).toMatchObject({ rewritten: true, encoding: 'UCS-2' });
    const [arrived] = await suite.handsetWith(1, number);
    expect(arrived!.body).toBe(carried);
    expect((await customer.getSms(sent.json.id)).json.body).toBe(carried);
  });
});

describe('a failure', () => {
  it('decisions 3 union of a failure: adds reason and refunded, and antispam where there is a verdict', async () => {
    const refused = await sendTo({ submit: { kind: 'refuse' } }, REFUSED_PLAN);
    const failed = await customer.smsWith('failed', refused);
    expect(failed).toMatchObject({ reason: 'no_route', refunded: true });
    expect(failed).not.toHaveProperty('antispam');
    const { json } = await blocking.sendSms({ message: phishing });
    const blocked = await blocking.smsWith('blocked', json.id);
    const { label, score, flagged, action, reasons } = blocked.antispam;
    expect(['spam', 'phishing', 'scam', 'adult_gambling']).toContain(label);
    expect([flagged, action, Array.isArray(reasons)]).toEqual([true, 'block', true]);
    expect(score).toBeGreaterThan(0.5);
  });

  it('decisions 9 anti-spam: rules by default, an optional classifier over HTTP behind the same port, never OTPs', async () => {
    const off = await customer.sendSms({ message: phishing });
    expect(await customer.smsWith('delivered', off.json.id)).not.toHaveProperty('antispam');
    const { json } = await blocking.sendSms({ message: phishing });
    const blocked = await blocking.smsWith('blocked', json.id);
    expect(blocked.antispam.model).toBe('rules');
    const otp = await blocking.sendOtp();
    await blocking.otpWith('delivered', otp.json.id);
  });
});
