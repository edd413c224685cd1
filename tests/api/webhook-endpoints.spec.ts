/** Retries and endpoints of variant A: interface section 6; decisions 8, 13 and 16. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  arrival,
  expectStandardWebhook,
  signaturesHold,
  useSubscribers,
  webhookPath,
} from '../support/subscribers.js';
import { expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
const subscriber = useSubscribers(suite);

describe('the endpoint', () => {
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

  it('decisions 16: rotation signs with both secrets for 24 h', async () => {
    const { customer, receiver, secret: old } = await subscriber();
    const path = webhookPath(customer, '/rotate-secret');
    const askedAtMs = Date.now();
    const rotated = await suite.operator.request('POST', path);
    expect(rotated.status).toBe(200);
    const rotatedAtMs = Date.parse(rotated.json.previous_expires_at) - 86_400_000;
    expect([askedAtMs <= rotatedAtMs, rotatedAtMs <= Date.now()]).toEqual([true, true]);
    const { secret, previous_expires_at: _, ...others } = rotated.json;
    expect(others).toEqual({});
    expect(secret).not.toBe(old);
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
});
