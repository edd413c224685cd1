import {
  type MessageState,
  type PublicReason,
  reasonRule,
  type Reason,
} from '@watchword/contracts';
import { channelOf } from '../channels/channels.js';
import type { Trigger } from '../channels/text-transitions.js';
import { type Attempt, chargedOf, type Message } from './message.js';

/** The moves a message can make. Each answers the same object when the move changes nothing. */

export function nextState({ content, state }: Message, trigger: Trigger): MessageState {
  return channelOf(content).machine.next(state, trigger);
}

/** Whether the message's transition table has such a step. */
export function isPossible({ content, state }: Message, trigger: Trigger): boolean {
  return channelOf(content).machine.allows(state, trigger);
}

/** The attempt is on record as accepted already. */
export function accept(message: Message, by: Attempt, at: Date): Message {
  const state = nextState(message, 'submit_accepted');
  const { provider, providerMessageId } = by;
  if (isEndedUnanswered(message)) {
    // The provider had it when it ended, and the timeline stays in order.
    const sentAt = message.endedAt ?? message.verifiedAt;
    return settledIfKnown({ ...message, provider, providerMessageId, sentAt }, at);
  }
  if (state === message.state) return message;
  return { ...message, state, provider, providerMessageId, sentAt: notBefore(message, at) };
}

export function deliver(message: Message, by: Attempt, at: Date): Message {
  const state = nextState(message, 'delivery_confirmed');
  if (state === message.state) return message;
  const { provider, providerMessageId } = by;
  const deliveredAt = notBefore(message, at);
  const sentAt = message.sentAt ?? deliveredAt;
  return { ...message, state, provider, providerMessageId, sentAt, deliveredAt };
}

export function fail(message: Message, reason: Reason, at: Date): Message {
  const state = nextState(message, 'sending_failed');
  return state === message.state ? message : ended(message, state, reason, at);
}

/** The spam filter blocks it before any attempt. */
export function block(message: Message, at: Date): Message {
  const state = nextState(message, 'content_blocked');
  return ended(message, state, 'antispam_blocked', at);
}

/** Its `send_at` has come: it may go to a provider. */
export function comeDue(message: Message): Message {
  return { ...message, state: nextState(message, 'send_due') };
}

/** Refused before any attempt: refunded, with no provider asked. */
export function reject(message: Message, reason: Reason, at: Date): Message {
  const state = nextState(message, 'send_refused');
  return ended(message, state, reason, at);
}

export function exhaust(message: Message, at: Date): Message {
  const state = nextState(message, 'attempts_exhausted');
  return ended(message, state, 'max_attempts_exceeded', at);
}

/**
 * The code stops verifying. Whether credits go back can hang on a submit that has no answer yet.
 */
export function cancel(message: Message, at: Date): Message {
  const state = nextState(message, 'cancellation_asked');
  return ended(message, state, 'cancelled', at);
}

/** Returns whether its user ended it, by a code or a cancellation, before a carrier had accepted it. */
export function isEndedUnanswered(message: Message): boolean {
  const { state, sentAt, verifiedAt, reason, settledAt } = message;
  if (sentAt !== null) return false;
  const isCancelled = state === 'cancelled' && settledAt === null;
  return isCancelled || verifiedAt !== null || reason === 'max_attempts_exceeded';
}

/** Writes `expired` when it is due; otherwise nothing. */
export function expireIfDue(message: Message, at: Date): Message {
  if (!isExpiryDue(message, at)) return message;
  const state = nextState(message, 'time_ran_out');
  return { ...message, state, endedAt: notBefore(message, at) };
}

/** Billing confirmed the refund, so the failure becomes public. */
export function settle(message: Message, refunded: boolean, at: Date): Message {
  if (message.settledAt !== null || !isRefundDue(message)) return message;
  return { ...message, refunded, settledAt: at };
}

/** Returns whether it must go to no provider any more. */
export function isLapsed(message: Message, at: Date): boolean {
  return isPast(message, at) && !isBornExpired(message);
}

function isExpiryDue(message: Message, at: Date): boolean {
  if (!isPast(message, at) || isRerouteOpen(message)) return false;
  if (isBornExpired(message)) return message.state === 'delivered';
  return message.state === 'sent' || message.state === 'delivered';
}

/** The outcome of a re-route decides whether the message expires, or fails as its report said. */
function isRerouteOpen({ state, resends, attempts }: Message): boolean {
  const open = resends.find(
    ({ isReroute, startedAt, reason }) => isReroute && startedAt !== null && reason === null,
  );
  const own = attempts.filter(({ resend }) => resend === open?.number);
  return state === 'sent' && own.length > 0 && own.every(({ outcome }) => outcome !== 'accepted');
}

function isPast({ content }: Message, at: Date): boolean {
  const expiresAt = channelOf(content).expiresAt(content);
  return expiresAt !== null && expiresAt <= at;
}

function isBornExpired(message: Message): boolean {
  return channelOf(message.content).isBornExpired(message);
}

function ended(message: Message, state: MessageState, reason: PublicReason, at: Date): Message {
  return settledIfKnown({ ...message, state, reason, endedAt: notBefore(message, at) }, at);
}

/**
 * A move can be decided a moment before another one that is written first, and clocks of two machines differ:
 * the timeline stays in order all the same.
 */
export function notBefore({ createdAt, sentAt, deliveredAt }: Message, at: Date): Date {
  const known = [createdAt, sentAt ?? createdAt, deliveredAt ?? createdAt];
  return known.reduce((latest, moment) => (moment > latest ? moment : latest), at);
}

/**
 * An ending becomes public when its cost is final: at once without a refund, else when
 * billing confirms it. Test mode shows the refund that live mode would have made.
 */
export function settledIfKnown(message: Message, at: Date): Message {
  const refunded = refundOf(message);
  if (refunded === null || message.settledAt !== null) return message;
  if (refunded && !message.testMode) return message;
  return { ...message, refunded, settledAt: at };
}

/**
 * Whether the ending gives credits back; null while that is open. What was cancelled is refunded
 * unless a provider had accepted it, so an unanswered submit decides, and one that timed out counts
 * as not accepted.
 */
function refundOf({ reason, sentAt, attempts }: Message): boolean | null {
  if (reason === null) return null;
  if (reason !== 'cancelled') return reasonRule(reason).refund;
  if (sentAt !== null) return false;
  return attempts.some(({ outcome }) => outcome === null) ? null : true;
}

/** Whether it is final what a cancelled message costs. Until then, a proof that a provider has it counts. */
export function isCostDecided(message: Message): boolean {
  return message.settledAt !== null || refundOf(message) !== null;
}

/**
 * Returns whether a refund is due. Once due it stays due: the ending's reason never changes, nor do
 * the outcomes that a cancellation depends on.
 */
export function isRefundDue(message: Message): boolean {
  return message.endedAt !== null && !message.testMode && refundOf(message) === true;
}

/**
 * Returns the public state. A failure without a settled refund shows as before, so that
 * `refunded` never changes back (ADR 3).
 */
export function visibleState(message: Message): MessageState {
  if (message.reason === null || message.settledAt !== null) return message.state;
  if (message.deliveredAt !== null) return 'delivered';
  if (message.sendAt !== null && message.attempts.length === 0) return 'scheduled';
  return message.sentAt === null ? 'accepted' : 'sent';
}

/**
 * Runs after every change of a message. It deletes the copy of a code that nothing needs any more,
 * and releases attempts that need no more work from their sender.
 */
export function tidied(message: Message): Message {
  const isWaiting = message.state === 'accepted';
  const isDone = (attempt: Attempt) =>
    attempt.outcome !== null && !(isWaiting && attempt.number === message.attempts.length);
  const attempts = message.attempts.map((attempt) =>
    attempt.heldBy !== null && isDone(attempt) ? { ...attempt, heldBy: null } : attempt,
  );
  const content = isTextNeeded(message)
    ? message.content
    : channelOf(message.content).withoutSecrets(message.content);
  return { ...message, attempts, content };
}

/** Returns whether it is still to be sent, or could be sent again. */
function isTextNeeded({ state, content, resends, attempts }: Message): boolean {
  if (state === 'accepted') return true;
  if (state !== 'sent' && state !== 'delivered') return false;
  const charged = chargedOf(resends);
  const isLeft = charged.length < channelOf(content).resendMax(content);
  const awaited = state === 'sent' ? resends : charged;
  const isUnderWay = awaited.some(({ startedAt, reason }) => startedAt === null && reason === null);
  return isLeft || isUnderWay || attempts.some((one) => one.resend > 0 && one.outcome === null);
}
