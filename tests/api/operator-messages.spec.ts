/** Operators read messages: decisions 22 and 25. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { expectError, useSystem } from '../support/suite.js';
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
  it('decisions 22: GET /operator/v1/messages finds both kinds by number, masked, texts hidden, never a code', async () => {
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
});

describe('emails in GET /operator/v1/messages', () => {
  const SUBJECT = 'Your invoice 4711';

  it('decisions 22: emails in GET /operator/v1/messages are found by address, ID and workspace, masked, and between the texts', async () => {
    const customer = await suite.customer();
    const local = `ada.${randomUUID()}`;
    const address = `${local}@xn--bcher-kva.example`;
    const first = await customer.sendOtp({ phone_number: freshNumber() });
    const email = await customer.post(
      '/v1/emails',
      {
        from: 'Acme <no-reply@unverified.example>',
        to: [`Ada <${local}@bücher.example>`],
        subject: SUBJECT,
        text: 'Thank you.',
        metadata: { name: 'Ada' },
      },
      { key: customer.testKey },
    );
    expect(email.status).toBe(202);
    const found = await waitUntil('the email to be found', async () => {
      const { json } = await get(`/messages?to=${encodeURIComponent(`${local}@Bücher.example`)}`);
      return json.data.length === 1 ? json.data[0] : undefined;
    });
    expect(found).toMatchObject({
      kind: 'email',
      id: email.json.id,
      workspace_id: customer.id,
      subject: null,
      metadata: {},
      revealed: false,
    });
    const hidden = await get(`/messages/${email.json.id}`);
    for (const secret of [address, '4711', 'Ada']) expect(hidden.text).not.toContain(secret);
    const path = `/messages/${email.json.id}?reveal=true&reason=Ticket%2018`;
    expect((await get(path)).json).toMatchObject({ subject: SUBJECT, revealed: true });
    const last = await customer.sendOtp({ phone_number: freshNumber() });
    await waitUntil('the last code to be found', async () => {
      const { status } = await get(`/messages/${last.json.id}`);
      return status === 200 || undefined;
    });
    const ids: string[] = [];
    await waitUntil('all three to be found', async () => {
      ids.length = 0;
      let query = `limit=1&workspace_id=${customer.id}`;
      for (;;) {
        const { json } = await get(`/messages?${query}`);
        ids.push(...json.data.map(({ id }: { id: string }) => id));
        if (json.next_cursor === undefined) break;
        query = `limit=1&workspace_id=${customer.id}&cursor=${json.next_cursor}`;
      }
      return ids.length === 3 || undefined;
    });
    expect(ids).toEqual([last.json.id, email.json.id, first.json.id]);
    expect((await get('/messages?status=bounced&limit=1')).status).toBe(200);
  });
});
