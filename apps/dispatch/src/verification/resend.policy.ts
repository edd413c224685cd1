import type { MessageId } from '@watchword/contracts';
import { otpOf } from '../channels/channels.js';
import { chargedOf, type Message, type Resend } from '../messages/message.js';
import { expireIfDue } from '../messages/message-change.policy.js';
import { newResend } from '../messages/resends.policy.js';
import { refusalOf, type Refusal } from './verify-otp.policy.js';

/**
 * Resends of the same code (ADR 4). Each is taken from the budget before it is charged, so
 * parallel requests cannot exceed the budget.
 */

/**
 * Milliseconds. A resend without a command by then was never charged, or its command is
 * late and counts anew.
 */
const RESERVED_FOR_MS = 60_000;

export type Reservation =
  | { readonly message: Message; readonly outcome: 'reserved'; readonly remaining: number }
  | { readonly message: Message; readonly outcome: Refusal | 'not_sent_yet' | 'none_left' };

/** Returns null for a message that is no OTP. */
export function reserved(known: Message, id: MessageId, at: Date): Reservation | null {
  const message = expireIfDue(known, at);
  const otp = otpOf(message);
  if (otp === null) return null;
  const refusal = refusalOf(message, at);
  if (refusal !== null) return { message, outcome: refusal };
  if (message.state === 'accepted') return { message, outcome: 'not_sent_yet' };
  const live = message.resends.filter((resend) => !isStale(resend, at));
  const left = otp.resendMax - chargedOf(live).length;
  if (live.some((resend) => resend.id === id))
    return { message, outcome: 'reserved', remaining: left };
  if (left <= 0 || otp.codeCipher === null) return { message, outcome: 'none_left' };
  const resends = [...live, newResend(message, id, at)];
  return { message: { ...message, resends }, outcome: 'reserved', remaining: left - 1 };
}

/** Gives back a resend that was not charged. */
export function released(message: Message, id: MessageId): Message {
  const resends = message.resends.filter((one) => one.id !== id || one.startedAt !== null);
  return resends.length === message.resends.length ? message : { ...message, resends };
}

function isStale({ startedAt, reservedAt, isReroute }: Resend, at: Date): boolean {
  if (isReroute) return false;
  return startedAt === null && reservedAt.getTime() + RESERVED_FOR_MS <= at.getTime();
}
