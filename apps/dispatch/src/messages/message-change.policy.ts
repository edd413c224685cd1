import { type MessageState, reasonRule, type Reason } from '@watchword/contracts';
import { testExpiresAtOnce } from '@watchword/providers';
import type { Attempt, Message } from './message.js';
import { nextState } from './message.machine.js';

/** The moves a message can make. Each answers the same object when the move changes nothing. */

export function accept(message: Message, by: Attempt, at: Date): Message {
  const state = nextState(message.kind, message.state, 'submit_accepted');
  if (state === message.state) return message;
  const { provider, providerMessageId } = by;
  return { ...message, state, provider, providerMessageId, sentAt: at };
}

export function deliver(message: Message, by: Attempt, at: Date): Message {
  const state = nextState(message.kind, message.state, 'delivery_confirmed');
  if (state === message.state) return message;
  const { provider, providerMessageId } = by;
  const sentAt = message.sentAt ?? at;
  return { ...message, state, provider, providerMessageId, sentAt, deliveredAt: at };
}

export function fail(message: Message, reason: Reason, at: Date): Message {
  const state = nextState(message.kind, message.state, 'sending_failed');
  return state === message.state ? message : ended(message, state, reason, at);
}

export function exhaust(message: Message, at: Date): Message {
  const state = nextState(message.kind, message.state, 'attempts_exhausted');
  return ended(message, state, 'max_attempts_exceeded', at);
}

/** Writes `expired` when it is due; otherwise nothing. */
export function expireIfDue(message: Message, at: Date): Message {
  if (!isExpiryDue(message, at)) return message;
  const state = nextState(message.kind, message.state, 'time_ran_out');
  return { ...message, state, endedAt: at };
}

/** Billing confirmed the refund: the failure becomes public. */
export function settle(message: Message, refunded: boolean, at: Date): Message {
  if (message.endedAt === null || message.settledAt !== null || !isRefundable(message)) {
    return message;
  }
  return { ...message, refunded, settledAt: at };
}

/** Nobody may hand it to a provider any more. */
export function isLapsed(message: Message, at: Date): boolean {
  return message.otp !== null && message.otp.expiresAt <= at && !isExpiredFromBirth(message);
}

function isExpiryDue({ otp, state, ...message }: Message, at: Date): boolean {
  if (otp === null || otp.expiresAt > at) return false;
  if (isExpiredFromBirth(message)) return state === 'delivered';
  return state === 'sent' || state === 'delivered';
}

/** The test-mode number whose code is expired when it is stored, and which is delivered all the same. */
export function isExpiredFromBirth(
  message: Pick<Message, 'kind' | 'testMode' | 'destination'>,
): boolean {
  return message.kind === 'otp' && message.testMode && testExpiresAtOnce(message.destination);
}

/** Test mode tells the refund that live would have made; a reason without refund waits for none. */
function ended(message: Message, state: MessageState, reason: Reason, at: Date): Message {
  const refundDue = reasonRule(reason).refund;
  const next = { ...message, state, reason, endedAt: at };
  if (refundDue && !message.testMode) return next;
  return { ...next, refunded: refundDue, settledAt: at };
}

export function isRefundable(message: Message): boolean {
  return message.reason !== null && reasonRule(message.reason).refund && !message.testMode;
}

/**
 * What the public may see: a failure whose refund is not settled yet still shows as before, so that
 * `refunded` never flips (ADR 7).
 */
export function visibleState(message: Message): MessageState {
  if (message.reason === null || message.settledAt !== null) return message.state;
  if (message.deliveredAt !== null) return 'delivered';
  return message.sentAt === null ? 'accepted' : 'sent';
}

/**
 * Holds for every message whatever moved it: the copy of the code goes as soon as nobody needs it, and an
 * attempt belongs to a sender only while something is left to do about it.
 */
export function tidied(message: Message): Message {
  const isWaiting = message.state === 'accepted';
  const isDone = (attempt: Attempt) =>
    attempt.outcome !== null && !(isWaiting && attempt.number === message.attempts.length);
  const attempts = message.attempts.map((attempt) =>
    attempt.senderId !== null && isDone(attempt) ? { ...attempt, senderId: null } : attempt,
  );
  const otp =
    message.otp === null || isWaiting ? message.otp : { ...message.otp, codeCipher: null };
  return { ...message, attempts, otp };
}
