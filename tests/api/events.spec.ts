/** `GET /v1/events`: decisions 8, 15 and 16. */
import { describe, expect, it } from '@jest/globals';
import { WebhookReceiver } from '../support/receiver.js';
import { type Customer, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();

const eventsOf = (customer: Customer, query = '') => customer.get(`/v1/events${query}`);

/** Returns all events, once there are this many. */
const eventsWith = (count: number, customer: Customer, query = '') =>
  waitUntil(`${count} events`, async () => {
    const { status, json } = await eventsOf(customer, query);
    return status === 200 && json.data.length >= count ? json : undefined;
  });

describe('events', () => {
  it('decisions 15: the envelopes as they were delivered, oldest first, without a gap', async () => {
    const customer = await suite.customer();
    const receiver = await WebhookReceiver.start();
    await customer.firstCreditsTold();
    await suite.operator.putWebhook(customer.workspace, receiver.url, [
      'otp.sent',
      'otp.delivered',
      'sms.sent',
      'sms.delivered',
    ]);
    await customer.sendOtp();
    await customer.sendSms();
    const { data } = await eventsWith(5, customer);
    expect(data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    await waitUntil('four deliveries', () => receiver.received.length >= 4);
    const { text } = await eventsOf(customer);
    for (const { rawBody } of receiver.received) expect(text).toContain(rawBody);
    // The credits from the creation of the workspace.
    expect(data[0]).toEqual({
      event: 'credit_balance.topped_up',
      timestamp: expect.any(String),
      data: { workspace_id: customer.id, balance: 1_000 },
      sequence: 1,
    });
    await receiver.close();
  });

  it('decisions 15: page by page, and of one type with the numbers kept', async () => {
    const customer = await suite.customer();
    for (let sent = 0; sent < 3; sent += 1) await customer.sendOtp();
    const { data: all } = await eventsWith(7, customer);
    const seen: unknown[] = [];
    let after: number | undefined = 0;
    while (after !== undefined) {
      const { json }: { json: { data: unknown[]; next_after?: number } } = await eventsOf(
        customer,
        `?limit=4&after=${after}`,
      );
      seen.push(...json.data);
      after = json.next_after;
    }
    expect(seen).toEqual(all);
    const { data: sentOnly } = (await eventsOf(customer, '?type=otp.sent')).json;
    expect(sentOnly).toHaveLength(3);
    expect(all).toEqual(expect.arrayContaining(sentOnly));
    expect((await eventsOf(customer, '?after=7')).json).toEqual({ data: [] });
  });
});
