/** Operators read messages: decisions 22 and 25. */
import { describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { expectError, unknownId, useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const get = (path: string) => suite.operator.request('GET', path);
const TEXT = 'Your parcel 4711 waits for you.';

async function sent() {
  const customer = await suite.customer();
  const to = freshNumber();
  const sms = await customer.post('/v1/sms/send', {
    phone_number: to,
    message: TEXT,
    metadata: { name: 'Ada' },
  });
  const otp = await customer.sendOtp({ phone_number: to });
  const [smsId, otpId] = [sms.json.id as string, otp.json.id as string];
  // Delivered, so that two answers about one message are equal.
  await waitUntil('both messages to be delivered', async () => {
    const { json } = await get(`/messages?to=${encodeURIComponent(to)}&status=delivered`);
    return json.data.length === 2 || undefined;
  });
  return { customer, to, smsId, otpId };
}

describe('GET /operator/v1/messages', () => {
  it('decisions 22: finds both kinds by number, masked, texts hidden, never a code', async () => {
    const { to, smsId, otpId, customer } = await sent();
    const { status, json, text } = await get(`/messages?to=${encodeURIComponent(to)}`);
    expect(status).toBe(200);
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([otpId, smsId]);
    expect(json.data[1]).toMatchObject({
      kind: 'sms',
      workspace_id: customer.id,
      to: expect.stringContaining('•'),
      phone_number: expect.stringContaining('•'),
      body: null,
      message: null,
      metadata: {},
      revealed: false,
    });
    expect(text).not.toContain(to);
    expect(text).not.toContain('4711');
    expect(text).not.toContain('Ada');
  });

  it('decisions 25: reveal needs a reason, works on the list, and is in the audit', async () => {
    const { to, smsId, customer } = await sent();
    const path = `/messages?workspace_id=${customer.id}&reveal=true`;
    expectError(await get(path), 400, 'validation_error', 'reason');
    expectError(await get(`/messages/${smsId}?reveal=true`), 400, 'validation_error', 'reason');
    const { status, json } = await get(`${path}&reason=Ticket%2017`);
    expect(status).toBe(200);
    expect(json.data[1]).toMatchObject({ to, message: TEXT, revealed: true });
    expect(json.data[1].metadata).toEqual({ name: 'Ada' });
    const one = await get(`/messages/${smsId}?reveal=true&reason=Ticket%2017`);
    expect(one.json).toEqual(json.data[1]);
    const audit = await get(`/audit?workspace_id=${customer.id}`);
    expect(audit.json.data[0]).toMatchObject({
      method: 'GET',
      path: `/operator/v1/messages/${smsId}`,
      status: 200,
      effect: { message_id: smsId, revealed: true, reason: 'Ticket 17' },
    });
    expect(audit.json.data[1].effect.message_ids).toHaveLength(2);
    expect(audit.text).not.toContain(to);
  });

  it('is paged, and refuses what it does not know', async () => {
    const { customer, smsId, otpId } = await sent();
    const first = await get(`/messages?workspace_id=${customer.id}&limit=1`);
    const { next_cursor: cursor } = first.json;
    const second = await get(`/messages?workspace_id=${customer.id}&limit=1&cursor=${cursor}`);
    expect([first.json.data[0].id, second.json.data[0].id]).toEqual([otpId, smsId]);
    expect(second.json.next_cursor).toBeUndefined();
    for (const query of ['cursor=x', 'status=lost', 'id=x', 'to=x', 'workspace_id=x', 'body=x']) {
      expectError(await get(`/messages?${query}`), 400, 'validation_error', query.split('=')[0]);
    }
    expectError(await get(`/messages/${unknownId}`), 404, 'not_found');
    expectError(await get('/messages/x'), 404, 'not_found');
  });
});
