import { expect, it } from '@jest/globals';
import type { Message } from '../messages/message.js';
import { verified } from './verify-otp.policy.js';

const moment = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

const delivered = {
  state: 'delivered',
  createdAt: moment(1),
  sentAt: moment(2),
  deliveredAt: moment(5),
  reason: null,
  content: { kind: 'otp', attemptCount: 0, maxAttempts: 5, expiresAt: moment(59) },
  resends: [] as Message['resends'],
  attempts: [] as Message['attempts'],
} as Message;

it('a code is verified no earlier than it was delivered', () => {
  const verifiedAt = (asked: Date) => verified(delivered, true, asked, null).message.verifiedAt;
  expect(verifiedAt(moment(3))).toEqual(moment(5));
  expect(verifiedAt(moment(7))).toEqual(moment(7));
});

it('a right code is refused from its expiry on, before any job has expired it', () => {
  const at = (second: number) => verified(delivered, true, moment(second), null);
  expect(at(58).result).toMatchObject({ outcome: 'checked', valid: true });
  expect(at(59).result).toEqual({ outcome: 'otp_expired' });
  expect(at(59).message).toMatchObject({ state: 'expired' });
});
