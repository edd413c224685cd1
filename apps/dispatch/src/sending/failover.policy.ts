import { type Reason, reasonRule } from '@watchword/contracts';
import type { SubmitOutcome } from '@watchword/carriers';
import { channelOf } from '../channels/channels.js';
import {
  type Attempt,
  attemptsOf,
  lastAttempt,
  type Message,
  newAttempt,
  withAttempt,
  withNewAttempt,
} from '../messages/message.js';
import {
  accept,
  deliver,
  expireIfDue,
  fail,
  isCostDecided,
  isLapsed,
  settledIfKnown,
} from '../messages/message-change.policy.js';
import { isWhole, withPartIds } from '../messages/parts.policy.js';
import { type Candidate, failResend, isUnderWay, leftFor } from '../messages/resends.policy.js';

/**
 * Decides what follows from the outcome of an attempt, given the message and the providers in order
 * of preference. Pure. `libs/contracts/src/reasons.ts` has the meaning of each refusal, ADR 5 that
 * of ambiguous answers.
 */
export interface SendingContext {
  /** Best first. Those already tried may be among them. */
  readonly candidates: readonly Candidate[];
  /** The process that makes the next attempt. */
  readonly heldBy: string;
  readonly at: Date;
}

export type CallOutcome = SubmitOutcome & {
  /** The account's sender, where the message has none of its own. */
  readonly shownSender?: string;
};

/** Milliseconds that a receipt is awaited after a lost answer. */
export const RECEIPT_WAIT_MS = 30_000;
/** Milliseconds. Simulated providers have time-outs of one second. */
const TEST_RECEIPT_WAIT_MS = 1_000;

const RETRY_AFTER_MS_MAX = 2_000;
const QUICK_RETRY_MS = 100;
/** Calls to one provider in all: two retries where it is busy, one where it is unavailable. */
const CALLS_MAX: Partial<Record<Reason, number>> = { throttled: 3, provider_unavailable: 2 };

/**
 * Records the outcome of an attempt and decides the next step. A repeated outcome changes nothing.
 */
export function withOutcome(
  message: Message,
  number: number,
  outcome: CallOutcome,
  context: SendingContext,
): Message {
  const attempt = message.attempts[number - 1];
  if (!attempt || !isNews(message, attempt, outcome)) return message;
  const recorded = withAttempt(message, number, {
    ...recordOf(attempt, outcome),
    finishedAt: context.at,
  });
  if (outcome.outcome === 'accepted') {
    const { shownSender = message.shownSender } = outcome;
    return afterAcceptance({ ...recorded, shownSender }, number, context.at);
  }
  const { resend } = attempt;
  const isLast = number === lastAttempt(message, resend)?.number;
  if (!isLast) return recorded;
  if (!isUnderWay(message, resend)) return withoutFurtherAttempt(recorded, resend, context.at);
  if (isLapsed(message, context.at)) return giveUp(recorded, resend, 'expired', context.at);
  if (outcome.outcome === 'refused') return afterRefusal(recorded, resend, outcome, context);
  const isAwaited = channelOf(message.content).awaitsLostAnswer;
  return isAwaited ? recorded : toNextProvider(recorded, resend, context);
}

/** Reports of all parts can arrive before the answer. */
function afterAcceptance(message: Message, number: number, at: Date): Message {
  const attempt = message.attempts[number - 1]!;
  const sent = accept(message, attempt, at);
  const { parts } = attempt;
  const isDelivered = parts && isWhole(parts, message.content.segments);
  return expireIfDue(isDelivered ? deliver(sent, attempt, at) : sent, at);
}

/**
 * Records that a stop prevented the call of an attempt. Only the process that takes the message over
 * adds a further attempt.
 */
export function withoutCall(
  message: Message,
  number: number,
  stopped: SubmitOutcome,
  at: Date,
): Message {
  const attempt = message.attempts[number - 1];
  if (attempt?.outcome !== null) return message;
  const record = { ...recordOf(attempt, stopped), finishedAt: at };
  const recorded = withAttempt(message, number, record);
  const { resend } = attempt;
  return isUnderWay(message, resend) ? recorded : withoutFurtherAttempt(recorded, resend, at);
}

/** Adds the attempt for a call that a stop prevented, at the same provider. */
export function afterPreventedCall(
  message: Message,
  number: number,
  context: SendingContext,
): Message {
  const attempt = message.attempts[number - 1];
  if (attempt?.outcome !== 'refused' || number !== message.attempts.length) return message;
  const { resend } = attempt;
  if (!isUnderWay(message, resend)) return message;
  if (isLapsed(message, context.at)) return giveUp(message, resend, 'expired', context.at);
  return retrySame(message, resend, 0, context);
}

/** The message ended during the call, so no other provider is asked. */
function withoutFurtherAttempt(message: Message, resend: number, at: Date): Message {
  return resend === 0 ? settledIfKnown(message, at) : failResend(message, resend, 'cancelled', at);
}

function giveUp(message: Message, resend: number, reason: Reason, at: Date): Message {
  return resend === 0 ? fail(message, reason, at) : failResend(message, resend, reason, at);
}

/** No receipt came in time for an attempt with a lost answer. */
export function withoutReceipt(message: Message, number: number, context: SendingContext): Message {
  const attempt = lastAttempt(message);
  const stillWaits = attempt?.number === number && attempt.outcome === 'ambiguous';
  return isUnderWay(message, 0) && stillWaits ? toNextProvider(message, 0, context) : message;
}

export function receiptDeadline(message: Message, attempt: Attempt): number {
  const wait = message.testMode ? TEST_RECEIPT_WAIT_MS : RECEIPT_WAIT_MS;
  return (attempt.finishedAt ?? attempt.startedAt).getTime() + wait;
}

/**
 * Returns whether the outcome changes something. A late answer still decides an ambiguous attempt.
 */
function isNews(message: Message, attempt: Attempt, outcome: SubmitOutcome): boolean {
  if (attempt.outcome === null) return true;
  if (attempt.outcome !== 'ambiguous' || outcome.outcome === 'ambiguous') return false;
  if (message.state === 'cancelled' && isCostDecided(message)) return false;
  return outcome.outcome === 'accepted' || attempt.number === message.attempts.length;
}

function recordOf({ parts }: Attempt, outcome: SubmitOutcome): Partial<Attempt> {
  switch (outcome.outcome) {
    case 'accepted':
      return {
        outcome: 'accepted',
        providerMessageId: outcome.providerMessageId,
        parts: withPartIds(parts, outcome.partIds),
        reason: null,
        rawCode: null,
        rawMessage: null,
      };
    case 'refused':
      return {
        outcome: 'refused',
        reason: outcome.reason,
        rawCode: outcome.rawCode,
        rawMessage: outcome.rawMessage,
      };
    case 'ambiguous':
      return {
        outcome: 'ambiguous',
        wasAmbiguous: true,
        reason: 'provider_timeout',
        rawCode: outcome.rawCode,
        rawMessage: outcome.rawMessage,
      };
  }
}

function afterRefusal(
  message: Message,
  resend: number,
  refusal: Extract<SubmitOutcome, { outcome: 'refused' }>,
  context: SendingContext,
): Message {
  const { reason, partlyTaken } = refusal;
  const attempts = attemptsOf(message, resend);
  // The same provider would send the parts that it took a second time.
  const timeout = partlyTaken ? null : timeoutWith(attempts, refusal);
  if (timeout !== null) return retrySame(message, resend, timeout, context);
  const rule = reasonRule(reason);
  const isPromotional = channelOf(message.content).isPromotional(message.content);
  const isBarred = isPromotional && rule.failover === 'dnd_capable_only';
  if (isBarred || rule.failover === 'never') return giveUp(message, resend, reason, context.at);
  const isSecond = attempts.filter((attempt) => attempt.reason === reason).length > 1;
  if (rule.failover === 'once' && isSecond) return failFinally(message, resend, context.at);
  return toNextProvider(message, resend, context);
}

/** Returns the milliseconds until a retry at the same provider, or null. */
function timeoutWith(
  attempts: readonly Attempt[],
  { reason, retryAfterMs }: Extract<SubmitOutcome, { outcome: 'refused' }>,
): number | null {
  if (!reasonRule(reason).retrySameProvider) return null;
  const provider = attempts.at(-1)?.provider;
  const calls = attempts.filter((attempt) => attempt.provider === provider).length;
  if (calls >= (CALLS_MAX[reason] ?? 1)) return null;
  if (retryAfterMs !== undefined) return retryAfterMs <= RETRY_AFTER_MS_MAX ? retryAfterMs : null;
  return reason === 'throttled' ? null : QUICK_RETRY_MS;
}

function retrySame(
  message: Message,
  resend: number,
  delayMs: number,
  { heldBy, at }: SendingContext,
): Message {
  const provider = lastAttempt(message, resend)?.provider ?? '';
  const startsAt = new Date(at.getTime() + delayMs);
  return withNewAttempt(message, newAttempt(message, provider, heldBy, startsAt, resend));
}

function toNextProvider(
  message: Message,
  resend: number,
  { candidates, heldBy, at }: SendingContext,
): Message {
  if (isLapsed(message, at)) return giveUp(message, resend, 'expired', at);
  const [next] = leftFor(message, resend, candidates);
  if (!next) return failFinally(message, resend, at);
  return withNewAttempt(message, newAttempt(message, next.name, heldBy, at, resend));
}

/** Fails with the reason that all providers gave, or with the one for different reasons. */
function failFinally(message: Message, resend: number, at: Date): Message {
  const attempts = attemptsOf(message, resend);
  const lastByProvider = new Map(attempts.map((one) => [one.provider, one.reason]));
  const [reason, ...others] = new Set(lastByProvider.values());
  const isCommon = others.length === 0 && reason !== null && reason !== undefined;
  return giveUp(message, resend, isCommon ? reason : 'all_providers_failed', at);
}
