import { createHmac } from 'node:crypto';
import { afterAll, expect } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Received, WebhookReceiver } from './receiver.js';
import type { Customer, Suite } from './suite.js';
import { waitUntil } from './wait-until.js';

export interface Subscriber {
  customer: Customer;
  receiver: WebhookReceiver;
  secret: string;
}

/** Makes customers with a webhook of variant A. Their receivers close after the last test. */
export function useSubscribers(suite: Suite) {
  const receivers: WebhookReceiver[] = [];
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));
  return async (events?: string[], options = {}): Promise<Subscriber> => {
    const customer = await suite.customer(options);
    await customer.firstCreditsTold();
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    const url = `${receiver.url}/hooks?from=watchword`;
    const secret = await suite.operator.putWebhook(customer.workspace, url, events);
    return { customer, receiver, secret };
  };
}

export const arrival = (receiver: WebhookReceiver, event: string, count = 1) =>
  waitUntil(`${count} ${event}`, () => {
    const arrived = receiver.events(event);
    return arrived.length >= count ? arrived : undefined;
  });

export const webhookPath = (customer: Customer, rest = '') =>
  `/workspaces/${customer.id}/webhook${rest}`;

/** Verifies signatures as a customer would from the specification, without a library. */
export function signaturesHold({ headers, rawBody }: Received, secret: string): boolean {
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const parts = headers['svc-signature']!.split(',');
  const t = parts.find((part) => part.startsWith('t='))!.slice(2);
  const fresh = Math.abs(Date.now() / 1000 - Number(t)) < 300;
  const stamped = parts.includes(`v1=${hmac(`${t}.${rawBody}`)}`);
  return fresh && stamped && headers['x-svc-signature'] === hmac(rawBody);
}

export function expectStandardWebhook({ headers, rawBody }: Received, secret: string): void {
  expect(new Webhook(secret).verify(rawBody, headers)).toEqual(JSON.parse(rawBody));
}
