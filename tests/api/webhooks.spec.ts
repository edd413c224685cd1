/** Webhooks of variant A: interface section 6; decisions 8, 13 and 16. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { freshNumber } from '../support/numbers.js';
import { WebhookReceiver, type Received } from '../support/receiver.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const receivers: WebhookReceiver[] = [];

afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
});

interface Subscriber {
  customer: Customer;
  receiver: WebhookReceiver;
  secret: string;
}

async function subscriber(events?: string[], options = {}): Promise<Subscriber> {
  const customer = await suite.customer(options);
  await customer.firstCreditsTold();
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  const url = `${receiver.url}/hooks?from=watchword`;
  const secret = await suite.operator.putWebhook(customer.workspace, url, events);
  return { customer, receiver, secret };
}

const arrival = (receiver: WebhookReceiver, event: string, count = 1, timeoutMs = 20_000) =>
  waitUntil(
    `${count} ${event}`,
    () => {
      const arrived = receiver.events(event);
      return arrived.length >= count ? arrived : undefined;
    },
    { timeoutMs },
  );

const webhookPath = (customer: Customer, rest = '') => `/workspaces/${customer.id}/webhook${rest}`;

/** As a customer would write it from the specification, without any library. */
function signaturesHold({ headers, rawBody }: Received, secret: string): boolean {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const parts = headers['svc-signature']!.split(',');
  const t = parts.find((part) => part.startsWith('t='))!.slice(2);
  const fresh = Math.abs(Date.now() / 1000 - Number(t)) < 300;
  const stamped = parts.includes(`v1=${hmac(`${t}.${rawBody}`)}`);
  return fresh && stamped && headers['x-svc-signature'] === hmac(rawBody);
}

function expectStandardWebhook({ headers, rawBody }: Received, secret: string): void {
  expect(new Webhook(secret).verify(rawBody, headers)).toEqual(JSON.parse(rawBody));
}

describe('an event', () => {
  let subscribed: Subscriber;
  let sent: Received;
  let otp: { id: string; phone_number: string };

  beforeAll(async () => {
    subscribed = await subscriber();
    otp = (await subscribed.customer.sendOtp({ phone_number: freshNumber() })).json;
    [sent] = (await arrival(subscribed.receiver, 'otp.sent')) as [Received];
  });

  it('6.1: has the envelope and the OTP data of variant A, and a sequence', () => {
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

  it('6.1: is compact JSON', () => {
    expect(sent.rawBody).toBe(JSON.stringify(sent.json));
  });

  it('decisions 8: is posted to the URL as given, with every header', () => {
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

describe('retries', () => {
  it('decisions 8: a 500 is retried after 1 s and 5 s, same bytes and id, signed anew', async () => {
    const { customer, receiver, secret } = await subscriber(['otp.sent']);
    receiver.answer = () => (receiver.received.length < 3 ? 500 : 200);
    await customer.sendOtp();
    const [first, second, third] = await arrival(receiver, 'otp.sent', 3, 40_000);
    const waits = [second!.receivedAt - first!.receivedAt, third!.receivedAt - second!.receivedAt];
    expect(waits[0]).toBeGreaterThan(900);
    // A slow machine is late, but not so late that it could be the second wait.
    expect(waits[0]).toBeLessThan(5_000);
    expect(waits[1]).toBeGreaterThan(4_500);
    expect(waits[1]).toBeLessThan(12_000);
    for (const again of [second!, third!]) {
      expect(again.rawBody).toBe(first!.rawBody);
      expect(again.headers['webhook-id']).toBe(first!.headers['webhook-id']);
      expect(again.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
      expect(signaturesHold(again, secret)).toBe(true);
      expectStandardWebhook(again, secret);
    }
    // The receiver has the third attempt before its answer is recorded.
    await waitUntil('the third attempt on record', async () => {
      const { json } = await suite.operator.request('GET', webhookPath(customer, '/deliveries'));
      expect(json.data).toHaveLength(1);
      const codes = json.data[0].attempts.map((one: { status_code: number }) => one.status_code);
      return String(codes) === '500,500,200';
    });
  });

  it.each([301, 400, 404, 429, 503])(
    'decisions 8: %d is a failure and is retried',
    async (status) => {
      const { customer, receiver } = await subscriber(['otp.sent']);
      receiver.answer = () => (receiver.received.length < 2 ? status : 200);
      await customer.sendOtp();
      await arrival(receiver, 'otp.sent', 2);
      expect(receiver.received.every(({ path }) => path === '/hooks?from=watchword')).toBe(true);
    },
  );

  it('decisions 8: 410 disables the endpoint', async () => {
    const { customer, receiver } = await subscriber();
    receiver.answer = () => 410;
    await customer.sendOtp();
    await arrival(receiver, 'otp.sent');
    await waitUntil('the delivery to be on record', async () => {
      const { json } = await suite.operator.request('GET', webhookPath(customer, '/deliveries'));
      return JSON.stringify(json).includes('410');
    });
    const marker = await subscriber();
    const second = await customer.sendOtp();
    await customer.otpWith('delivered', second.json.id);
    await marker.customer.sendOtp();
    await arrival(marker.receiver, 'otp.sent');
    expect(receiver.events('otp.sent', second.json.id)).toEqual([]);
  });

  it('a slow endpoint holds up nobody else', async () => {
    const [slow, quick] = [await subscriber(), await subscriber()];
    slow.receiver.delayMs = 9_000;
    await Promise.all(Array.from({ length: 20 }, () => slow.customer.sendOtp()));
    await quick.customer.sendOtp();
    await arrival(quick.receiver, 'otp.sent', 1, 8_000);
  });
});

describe('the endpoint', () => {
  it('decisions 13: PUT answers url, events and secret, and again keeps the secret', async () => {
    const { customer, receiver, secret } = await subscriber();
    const url = `${receiver.url}/other`;
    const body = { url, events: ['sms.failed'] };
    const answer = await suite.operator.request('PUT', webhookPath(customer), body);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ url, events: ['sms.failed'], secret });
  });

  it('decisions 8: without events they are those the specification names', async () => {
    const { customer, receiver } = await subscriber();
    const answer = await suite.operator.request('PUT', webhookPath(customer), {
      url: receiver.url,
    });
    expect([...answer.json.events].sort()).toEqual([
      'credit_balance.topped_up',
      'otp.failed',
      'otp.sent',
      'sms.blocked',
      'sms.delivered',
      'sms.failed',
    ]);
  });

  it.each([
    'http://example.com/hook',
    'http://10.0.0.1/hook',
    'http://169.254.169.254/latest/meta-data',
    'ftp://127.0.0.1/hook',
    'not a url',
    '',
    5,
  ])('decisions 8: the URL %j is refused', async (url) => {
    const customer = await suite.customer();
    const answer = await suite.operator.request('PUT', webhookPath(customer), { url });
    expectError(answer, 400, 'validation_error', 'url');
  });

  it('decisions 8: an unknown event is refused', async () => {
    const customer = await suite.customer();
    const body = { url: 'http://127.0.0.1:1/hook', events: ['otp.sent', 'otp.exploded'] };
    const answer = await suite.operator.request('PUT', webhookPath(customer), body);
    expectError(answer, 400, 'validation_error');
  });

  it('decisions 16: rotation signs with both secrets for 24 h', async () => {
    const { customer, receiver, secret: old } = await subscriber();
    const path = webhookPath(customer, '/rotate-secret');
    const rotated = await suite.operator.request('POST', path);
    expect(rotated.status).toBe(200);
    const { secret, previous_expires_at } = rotated.json;
    expect(Object.keys(rotated.json).sort()).toEqual(['previous_expires_at', 'secret']);
    expect(secret).not.toBe(old);
    const left = Date.parse(previous_expires_at) - Date.now();
    expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
    await customer.sendOtp();
    const [sent] = await arrival(receiver, 'otp.sent');
    expect(signaturesHold(sent!, secret)).toBe(true);
    expect(sent!.headers['svc-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(sent!.headers['webhook-signature']!.split(' ')).toHaveLength(2);
    expectStandardWebhook(sent!, secret);
    expectStandardWebhook(sent!, old);
    const hmac = createHmac('sha256', old).update(sent!.rawBody).digest('hex');
    expect(sent!.headers['x-svc-signature']).not.toBe(hmac);
  });

  it('decisions 13: DELETE is 204 and ends it', async () => {
    const { customer, receiver } = await subscriber();
    expect((await suite.operator.request('DELETE', webhookPath(customer))).status).toBe(204);
    const marker = await subscriber();
    await customer.sendOtp();
    await marker.customer.sendOtp();
    await arrival(marker.receiver, 'otp.sent');
    expect(receiver.received).toEqual([]);
  });

  it('decisions 10: of an unknown workspace it is 404', async () => {
    const path = `/workspaces/${unknownId}/webhook`;
    const body = { url: 'http://127.0.0.1:1/hook' };
    expectError(await suite.operator.request('PUT', path, body), 404, 'not_found');
  });
});
