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
  let otp: { id: string; phone_number: string; created_at: string };

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
    expect(sent.json.timestamp >= `${otp.created_at.slice(0, 19)}Z`).toBe(true);
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

  it('6: other workspaces hear nothing', async () => {
    const [one, other] = [await subscriber(), await subscriber()];
    await one.customer.sendOtp();
    await arrival(one.receiver, 'otp.sent');
    expect(other.receiver.received).toEqual([]);
  });
});
