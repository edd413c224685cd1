/** Interface 8, decisions 7: every POST of /v1 under one key. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;

beforeAll(async () => {
  customer = await suite.customer();
});

/** Each POST with a body it takes, and another one. */
async function posts(): Promise<[path: string, body: object, other: object | null][]> {
  const key = customer.testKey;
  const [verified, resent, cancelled] = await Promise.all(
    [0, 0, 3].map((digits) => customer.sendOtp({ phone_number: magicNumber(digits) }, { key })),
  );
  for (const sent of [verified, resent]) {
    await customer.otpWith('delivered', sent!.json.id, { key });
  }
  const attempt = { otp_id: verified!.json.id, code: 'wrong' };
  const number = { phone_number: freshNumber() };
  return [
    ['/v1/otp/send', number, { ...number, code_length: 4 }],
    ['/v1/otp/verify', attempt, { ...attempt, code: 'other' }],
    [`/v1/otp/${resent!.json.id}/resend`, {}, null],
    [`/v1/otp/${cancelled!.json.id}/cancel`, {}, null],
    ['/v1/sms/send', { ...number, message: 'One' }, { ...number, message: 'Two' }],
    ['/v1/quote', { kind: 'otp', ...number }, { kind: 'sms', message: 'Two', ...number }],
  ];
}

describe('an Idempotency-Key', () => {
  it('8 idempotency POST: every POST under /v1 replays its answer', async () => {
    for (const [path, body, other] of await posts()) {
      const send = { key: customer.testKey, headers: { 'idempotency-key': randomUUID() } };
      const first = await customer.post(path, body, send);
      const again = await customer.post(path, body, send);
      expect([path, first.status, first.headers['idempotent-replayed']]).toEqual([
        ...[path, 200, undefined],
      ]);
      expect([path, again.status, again.headers['idempotent-replayed']]).toEqual([
        ...[path, 200, 'true'],
      ]);
      expect(again.text).toBe(first.text);
      if (other === null) continue;
      expectError(await customer.post(path, other, send), 409, 'idempotency_conflict');
    }
  });

  it('decisions 7 stored: 2xx are replayed with Idempotent-Replayed: true', async () => {
    const number = freshNumber();
    await suite.scenario({ to: number, receipts: [{ after_ms: 900, outcome: 'delivered' }] });
    const { json } = await customer.sendOtp({ phone_number: number });
    await suite.handsetWith(1, number);
    const keyed = () => ({ headers: { 'idempotency-key': randomUUID() } });
    const [ofVerify, ofCancel] = [keyed(), keyed()];
    const verified = await customer.verify(json.id, 'wrong', ofVerify);
    await customer.verify(json.id, 'other');
    const cancelled = await customer.post(`/v1/otp/${json.id}/cancel`, undefined, ofCancel);
    // The receipt comes after the end. The answers are still the same.
    const marker = freshNumber();
    await suite.scenario({ to: marker, receipts: [{ after_ms: 1_200, outcome: 'delivered' }] });
    const later = await customer.sendOtp({ phone_number: marker });
    await customer.otpWith('delivered', later.json.id);
    const replays = [
      [verified, await customer.verify(json.id, 'wrong', ofVerify)],
      [cancelled, await customer.post(`/v1/otp/${json.id}/cancel`, undefined, ofCancel)],
    ] as const;
    for (const [first, again] of replays) {
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
    }
  });

  it('8 idempotency key: has at most 255 characters', async () => {
    for (const [path, body] of await posts()) {
      const keyed = (length: number) => ({
        key: customer.testKey,
        headers: { 'idempotency-key': 'k'.repeat(length) },
      });
      expectError(await customer.post(path, body, keyed(256)), 400, 'validation_error');
      expect([path, (await customer.post(path, body, keyed(255))).status]).toEqual([path, 200]);
    }
  });
});
