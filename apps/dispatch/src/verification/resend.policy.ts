import type { PublicReason } from '@watchword/contracts';
import {
  attemptsOf,
  type Message,
  newAttempt,
  type Resend,
  withNewAttempt,
} from '../messages/message.js';
import { expireIfDue, fail, isLapsed } from '../messages/message-change.policy.js';
import { refusalOf, type Refusal } from './verify-otp.policy.js';

/**
 * Sending the same code again (ADR 12). Each resend is taken from the budget before it is charged,
 * so that requests in parallel cannot exceed it; has its own providers, attempts and charge; and
 * fails by itself. The OTP fails only when none of its sendings can still succeed.
 */

/**
 * One whose command did not come by then was never charged, or its command is late and counts anew.
 */
const RESERVED_FOR_MS = 60_000;

export type Reservation =
  | { readonly message: Message; readonly outcome: 'reserved'; readonly remaining: number }
  | { readonly message: Message; readonly outcome: Refusal | 'not_sent_yet' | 'none_left' };

export function reserved(known: Message, id: string, at: Date): Reservation {
  const message = expireIfDue(known, at);
  const { otp } = message;
  if (otp === null) return { message, outcome: 'conflict' };
  const refusal = refusalOf(message, at);
  if (refusal !== null) return { message, outcome: refusal };
  if (message.state === 'accepted') return { message, outcome: 'not_sent_yet' };
  const live = message.resends.filter((resend) => !isStale(resend, at));
  const left = otp.resendMax - live.length;
  if (live.some((resend) => resend.id === id))
    return { message, outcome: 'reserved', remaining: left };
  if (left <= 0 || otp.codeCipher === null) return { message, outcome: 'none_left' };
  const resends = [...live, newResend(message, id, at)];
  return { message: { ...message, resends }, outcome: 'reserved', remaining: left - 1 };
}

/** It was not charged after all. */
export function released(message: Message, id: string): Message {
  const resends = message.resends.filter((one) => one.id !== id || one.startedAt !== null);
  return resends.length === message.resends.length ? message : { ...message, resends };
}

export interface StartingContext {
  /** Best first. */
  readonly candidates: readonly { readonly name: string }[];
  readonly heldBy: string;
  readonly at: Date;
}

/**
 * It was charged: begins it, or fails it where the code can no longer be sent. Told twice, once.
 */
export function started(known: Message, id: string, context: StartingContext): Message {
  const { at } = context;
  const found = known.resends.find((one) => one.id === id) ?? newResend(known, id, at);
  if (found.startedAt !== null) return known;
  const { number } = found;
  const others = known.resends.filter((one) => one.id !== id);
  const message = { ...known, resends: [...others, { ...found, startedAt: at }] };
  if (isLapsed(message, at)) return failResend(message, number, 'expired', at);
  const isTooMany = others.length >= (message.otp?.resendMax ?? 0);
  const isPossible = isUnderWay(message, number) && message.otp?.codeCipher != null;
  if (isTooMany || !isPossible) return failResend(message, number, 'cancelled', at);
  const [first] = inOrderFor(message, number, context.candidates);
  if (!first) return failResend(message, number, 'no_route', at);
  return withNewAttempt(message, newAttempt(message, first.name, context.heldBy, at, number));
}

/** Whether further providers may be asked for this sending. */
export function isUnderWay({ state, resends }: Message, resend: number): boolean {
  if (resend === 0) return state === 'accepted';
  const isOpen = state === 'sent' || state === 'delivered';
  return isOpen && resends.some(({ number, reason }) => number === resend && reason === null);
}

/** A resend goes first to whom the message has been given least often: the next best one. */
export function inOrderFor<Candidate extends { readonly name: string }>(
  message: Message,
  resend: number,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  if (resend === 0) return candidates;
  const earlier = message.attempts.filter((attempt) => attempt.resend !== resend);
  const times = (name: string) => earlier.filter(({ provider }) => provider === name).length;
  return candidates.toSorted((one, other) => times(one.name) - times(other.name));
}

/**
 * Its own charge goes back; the OTP fails with it when nothing else can still reach the handset.
 */
export function failResend(
  message: Message,
  number: number,
  reason: PublicReason,
  at: Date,
): Message {
  const resends = message.resends.map((resend) =>
    resend.number === number && resend.reason === null ? { ...resend, reason } : resend,
  );
  const next = { ...message, resends };
  if (reason === 'cancelled' || message.state !== 'sent' || canStillSucceed(next)) return next;
  return fail(next, reason, at);
}

/** Some attempt is unanswered, or accepted and not reported as failed. */
export function canStillSucceed({ attempts }: Pick<Message, 'attempts'>): boolean {
  return attempts.some(
    ({ outcome, reason }) => outcome === null || (outcome === 'accepted' && reason === null),
  );
}

/** Whether the failure of this attempt is that of its resend. */
export function isResendLost(message: Message, number: number): boolean {
  return number > 0 && !canStillSucceed({ attempts: attemptsOf(message, number) });
}

function isStale({ startedAt, reservedAt }: Resend, at: Date): boolean {
  return startedAt === null && reservedAt.getTime() + RESERVED_FOR_MS <= at.getTime();
}

function newResend({ resends }: Message, id: string, at: Date): Resend {
  const number = 1 + Math.max(0, ...resends.map((resend) => resend.number));
  return { number, id, reservedAt: at, startedAt: null, reason: null };
}
