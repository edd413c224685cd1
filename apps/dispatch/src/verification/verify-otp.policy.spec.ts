import { expect, it } from '@jest/globals';
import type { Message } from '../messages/message.js';
import { verified } from './verify-otp.policy.js';

const moment = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

it('a code is verified no earlier than it was delivered', () => {
  const delivered = {
    state: 'delivered',
    createdAt: moment(1),
    sentAt: moment(2),
    deliveredAt: moment(5),
    reason: null,
    content: { kind: 'otp', attemptCount: 0, maxAttempts: 5, expiresAt: moment(59) },
  } as Message;
  const verifiedAt = (asked: Date) => verified(delivered, true, asked, null).message.verifiedAt;
  expect(verifiedAt(moment(3))).toEqual(moment(5));
  expect(verifiedAt(moment(7))).toEqual(moment(7));
});
