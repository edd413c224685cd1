/** Webhooks of variant A: interface section 6; decisions 8, 13 and 16. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import type { Received } from '../support/receiver.js';
import {
  arrival,
  expectStandardWebhook,
  signaturesHold,
  type Subscriber,
  useSubscribers,
} from '../support/subscribers.js';
import { useSystem } from '../support/suite.js';

const suite = useSystem();
const subscriber = useSubscribers(suite);

describe('an event', () => {
  let subscribed: Subscriber;
  let sent: Received;
  let otp: { id: string; phone_number: string };

  beforeAll(async () => {
    subscribed = await subscriber();
    otp = (await subscribed.customer.sendOtp({ phone_number: freshNumber() })).json;
    [sent] = (await arrival(subscribed.receiver, 'otp.sent')) as [Received];
  });

  it('6.1: an event has the envelope and the OTP data of variant A, and a sequence', () => {
    expect(sent.json).toEqual({
      event: 'otp.sent',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      data: {
        id: otp.id,
        phone_number: otp.phone_number,
        country_code: 'NG',
        status: 'sent',
        credit_cost: 5,
      },
      sequence: expect.any(Number),
    });
    expect(Math.abs(Date.parse(sent.json.timestamp) - Date.now())).toBeLessThan(60_000);
  });

  it('6.1: an event is compact JSON', () => {
    expect(sent.rawBody).toBe(JSON.stringify(sent.json));
  });

  it('decisions 8: an event is posted to the URL as given, with every header', () => {
    expect(sent.method).toBe('POST');
    expect(sent.path).toBe('/hooks?from=watchword');
    expect(sent.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'content-length': String(Buffer.byteLength(sent.rawBody)),
      'x-svc-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'svc-signature': expect.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
      'svc-event': 'otp.sent',
      'webhook-id': expect.stringMatching(/^evt_[0-9a-f]{12}7[0-9a-f]{19}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[0-9A-Za-z+/]{43}=$/),
    });
  });

  it('6.1: its signatures hold by independent code', () => {
    expect(subscribed.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(signaturesHold(sent, subscribed.secret)).toBe(true);
    const tampered = { ...sent, rawBody: sent.rawBody.replace('sent', 'SENT') };
    expect(signaturesHold(tampered, subscribed.secret)).toBe(false);
  });

  it('decisions 8: its signature holds by the standardwebhooks package', () => {
    expectStandardWebhook(sent, subscribed.secret);
  });

  it('6.1: the body is not escaped for HTML, and is UTF-8', async () => {
    const { customer, receiver, secret } = await subscriber(undefined, {
      settings: { sms_rewriting: false },
    });
    const message = '<b>Ẹ kú</b> & "more" 日本\u2028';
    await customer.sendSms({ message });
    const [delivered] = await arrival(receiver, 'sms.delivered');
    expect(delivered!.json.data.message).toBe(message);
    expect(delivered!.rawBody).toContain('<b>Ẹ kú</b> & ');
    expect(delivered!.rawBody).not.toContain('\\u003c');
    expect(signaturesHold(delivered!, secret)).toBe(true);
  });
});

describe('which events', () => {
  it('6.1: sms.delivered carries the SMS data', async () => {
    const { customer, receiver } = await subscriber();
    const { json } = await customer.sendSms({ message: 'Hello' });
    const [delivered] = await arrival(receiver, 'sms.delivered');
    expect(delivered!.json.data).toEqual({
      id: json.id,
      phone_number: json.phone_number,
      country_code: 'NG',
      message: 'Hello',
      status: 'delivered',
      credit_cost: 5,
    });
  });

  it.each([
    ['otp.failed', 'sendOtp'],
    ['sms.failed', 'sendSms'],
  ] as const)(
    '6.1: %s carries reason and refunded, and the refund is there',
    async (event, send) => {
      const { customer, receiver } = await subscriber();
      const phone_number = freshNumber();
      const receipts = [{ after_ms: 10, outcome: 'failed', code: 'AbsentSubscriber' }];
      await suite.scenario({ to: phone_number, receipts });
      const { json } = await customer[send]({ phone_number });
      const [failed] = await arrival(receiver, event);
      expect(await customer.balance()).toBe(1_000);
      expect(failed!.json.data).toMatchObject({
        id: json.id,
        status: 'failed',
        credit_cost: 5,
        reason: 'absent_subscriber',
        refunded: true,
      });
    },
  );

  it('decisions 3: the exhausted attempt budget fires otp.failed, not refunded', async () => {
    const { customer, receiver } = await subscriber(undefined, {
      settings: { otp_max_attempts: 1 },
    });
    const { json } = await customer.sendOtp();
    await customer.otpWith('delivered', json.id);
    await customer.verify(json.id, '0');
    const [failed] = await arrival(receiver, 'otp.failed');
    expect(failed!.json.data).toMatchObject({ reason: 'max_attempts_exceeded', refunded: false });
  });

  it('6.1: every refused provider fires otp.failed without otp.sent', async () => {
    const { customer, receiver } = await subscriber();
    const phone_number = freshNumber();
    const submit = { kind: 'refuse', code: 403 };
    await suite.scenario({ provider: 'africas_talking', to: phone_number, submit });
    await customer.sendOtp({ phone_number });
    const [failed] = await arrival(receiver, 'otp.failed');
    expect(failed!.json.data).toMatchObject({ reason: 'invalid_number', refunded: true });
    expect(receiver.events('otp.sent')).toEqual([]);
  });

  it('6.1: a manual top-up fires credit_balance.topped_up', async () => {
    const { customer, receiver } = await subscriber();
    const body = { credits: 500, kind: 'purchase' };
    await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, body);
    const [toppedUp] = await arrival(receiver, 'credit_balance.topped_up');
    expect(toppedUp!.json.data).toEqual({ workspace_id: customer.id, balance: 1_500 });
  });

  it('5: test keys fire the same events', async () => {
    const { customer, receiver } = await subscriber();
    await customer.sendSms({}, { key: customer.testKey });
    const [delivered] = await arrival(receiver, 'sms.delivered');
    expect(delivered!.json.data.status).toBe('delivered');
  });

  it('decisions 8: opt-in events come only when asked for', async () => {
    const plain = await subscriber();
    const all = await subscriber(['otp.sent', 'otp.delivered', 'otp.verified', 'otp.expired']);
    for (const { customer } of [plain, all]) {
      const number = freshNumber();
      const { json } = await customer.sendOtp({ phone_number: number });
      await customer.otpWith('delivered', json.id);
      await customer.verify(json.id, await suite.codeAt(number));
    }
    await arrival(all.receiver, 'otp.verified');
    await arrival(all.receiver, 'otp.delivered');
    await arrival(plain.receiver, 'otp.sent');
    expect(plain.receiver.received.map(({ json }) => json.event)).toEqual(['otp.sent']);
    await all.customer.expiredOtp();
    await arrival(all.receiver, 'otp.expired');
  });

  it('decisions 13: a chosen list of events is the whole list', async () => {
    const { customer, receiver } = await subscriber(['sms.delivered']);
    const otp = await customer.sendOtp();
    await customer.otpWith('delivered', otp.json.id);
    await customer.sendSms();
    await arrival(receiver, 'sms.delivered');
    expect(receiver.received.map(({ json }) => json.event)).toEqual(['sms.delivered']);
  });

  it('decisions 8, 16: the sequence has no gaps, with any subscriptions', async () => {
    const events = ['otp.sent', 'otp.delivered', 'otp.verified', 'sms.delivered', 'sms.failed'];
    const { customer, receiver } = await subscriber([...events, 'credit_balance.topped_up']);
    const number = freshNumber();
    const otp = await customer.sendOtp({ phone_number: number });
    await customer.otpWith('delivered', otp.json.id);
    await customer.verify(otp.json.id, await suite.codeAt(number));
    const body = { credits: 1, kind: 'bonus' };
    await suite.operator.request('POST', `/workspaces/${customer.id}/top-ups`, body);
    await arrival(receiver, 'otp.verified');
    await arrival(receiver, 'credit_balance.topped_up');
    await arrival(receiver, 'otp.delivered');
    await arrival(receiver, 'otp.sent');
    const inOrder = receiver.received
      .map(({ json }) => json as { sequence: number; event: string })
      .sort((a, b) => a.sequence - b.sequence);
    const [first] = inOrder;
    expect(inOrder.map(({ sequence }) => sequence - first!.sequence)).toEqual([0, 1, 2, 3]);
    const ofOtp = inOrder.map(({ event }) => event).filter((event) => event.startsWith('otp'));
    expect(ofOtp).toEqual(['otp.sent', 'otp.delivered', 'otp.verified']);
  });

  it('6: other workspaces hear nothing', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    await one.customer.sendOtp();
    await arrival(one.receiver, 'otp.sent');
    expect(other.receiver.received).toEqual([]);
  });
});
