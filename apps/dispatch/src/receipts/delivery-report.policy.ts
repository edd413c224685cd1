import {
  type DeliveryReport,
  type MessageState,
  type Reason,
  REASON_RULES,
} from '@watchword/contracts';
import { type Attempt, type Message, withAttempt } from '../messages/message.js';
import {
  accept,
  isCostDecided,
  isEndedUnanswered,
  deliver,
  expireIfDue,
  fail,
} from '../messages/message-change.policy.js';
import { carrierIdsOf, isWhole, withDeliveredPart } from '../messages/parts.policy.js';
import { canStillSucceed, isResendLost, withFailedResend } from '../messages/resends.policy.js';
import type { Reroute } from '../sending/start-resend.policy.js';
import { reportedNetwork } from './reported-network.policy.js';

/**
 * Applies a carrier's report to a message. Pure, and correct in any order:
 * - A report can come before the answer to the submit, twice, late, or after one that contradicts
 *   it.
 * - `delivered` counts for every attempt. Where the carrier reports each part, all of them must be.
 * - `failed` ends the message only when no other attempt can still succeed, and no re-route starts.
 * - An ended message stays as it is; a delivery after a failure is noted on the attempt.
 */
export function withReport(
  message: Message,
  report: DeliveryReport,
  at: Date,
  reroute: Reroute = () => null,
): Message {
  const found = attemptOf(message, report);
  if (!found) return message;
  const attempt = identified(found, report);
  if (isEndedUnanswered(message) && isOpen(message, attempt))
    return provenAccepted(message, attempt, at);
  switch (report.state) {
    case 'enroute':
      return enroute(message, attempt, at);
    case 'delivered':
      return withNetwork(message, partOrWhole(message, attempt, report, at), report);
    case 'failed':
      return failed(message, attempt, report, at, reroute);
  }
}

/** The report's network is written with the change that it makes, if it makes one. */
function withNetwork(before: Message, after: Message, report: DeliveryReport): Message {
  const named = after === before ? undefined : reportedNetwork(after, report);
  return named ? { ...after, reportedNetwork: named } : after;
}

/** The cost of a cancellation is decided once no submit is without any outcome. */
function isOpen(message: Message, { outcome }: Attempt): boolean {
  if (outcome !== 'ambiguous') return outcome === null;
  return message.state !== 'cancelled' || !isCostDecided(message);
}

/** The attempt of a report: by the carrier's id, else the last one with that carrier. */
export function attemptOf(message: Message, report: DeliveryReport): Attempt | undefined {
  const ofProvider = message.attempts.filter(({ provider }) => provider === report.provider);
  const id = report.provider_message_id;
  const named = ofProvider.find(({ number }) => number === report.attempt);
  if (named && mayMean(named, report)) return named;
  const byId = ofProvider.find((attempt) => isNamedIn(attempt, id));
  // A report of parts that were taken with an attempt that was refused is about no other one.
  if (named || byId) return byId;
  return id === null
    ? ofProvider.at(-1)
    : ofProvider.findLast((attempt) => mayMean(attempt, report));
}

/** A part can have an id that no answer named, where the answer named no part. */
function mayMean(attempt: Attempt, report: DeliveryReport): boolean {
  const { providerMessageId, parts, outcome } = attempt;
  const id = report.provider_message_id;
  const isUnnamedPart = report.part != null && (parts?.ids.length ?? 0) === 0;
  const isNamed = (providerMessageId ?? id) === id || isNamedIn(attempt, id) || isUnnamedPart;
  return outcome !== 'refused' && isNamed;
}

function isNamedIn({ providerMessageId, parts }: Attempt, id: string | null): boolean {
  return id !== null && carrierIdsOf(providerMessageId, parts?.ids).includes(id);
}

/** The report can be the first message with the carrier's id. */
function identified(attempt: Attempt, report: DeliveryReport): Attempt {
  if (attempt.providerMessageId !== null || report.provider_message_id === null) return attempt;
  return { ...attempt, providerMessageId: report.provider_message_id };
}

/** A report proves that the carrier accepted the message, even before its answer to the submit. */
function provenAccepted(message: Message, attempt: Attempt, at: Date): Message {
  const proven = { ...attempt, outcome: 'accepted', reason: null, finishedAt: at } as const;
  return accept(withAttempt(message, attempt.number, proven), proven, at);
}

/**
 * Proves that the carrier accepted a submit that it did not answer. Otherwise it changes nothing.
 */
function enroute(message: Message, attempt: Attempt, at: Date): Message {
  if (attempt.outcome !== 'ambiguous' || message.state !== 'accepted') return message;
  const proven = { ...attempt, outcome: 'accepted', reason: null } as const;
  const next = accept(withAttempt(message, attempt.number, proven), proven, at);
  return expireIfDue(next, at);
}

/** A part alone is noted on the attempt. It shows that the carrier took the message. */
function partOrWhole(
  message: Message,
  attempt: Attempt,
  report: DeliveryReport,
  at: Date,
): Message {
  const { part } = report;
  if (!part) return delivered(message, attempt, at);
  const parts = withDeliveredPart(attempt.parts, part);
  if (isWhole(parts, message.content.segments)) {
    return delivered(message, parts.delivered.length > 1 ? { ...attempt, parts } : attempt, at);
  }
  if (parts === attempt.parts) return message;
  const noted = { ...attempt, parts };
  const next = withAttempt(message, attempt.number, noted);
  return enroute(next, noted, at);
}

function delivered(message: Message, attempt: Attempt, at: Date): Message {
  const moved = deliver(message, attempt, at);
  if (moved !== message) {
    const isProven = attempt.outcome === 'ambiguous';
    const proven = isProven ? { ...attempt, outcome: 'accepted' as const, reason: null } : attempt;
    const isNews = !message.attempts.includes(proven);
    return expireIfDue(isNews ? withAttempt(moved, attempt.number, proven) : moved, at);
  }
  const isLate = LATE_STATES.has(message.state);
  if (!isLate || attempt.lateDelivery) return message;
  return withAttempt(message, attempt.number, { ...attempt, lateDelivery: true });
}

const LATE_STATES = new Set<MessageState>(['failed', 'expired', 'cancelled']);

function failed(
  message: Message,
  attempt: Attempt,
  report: DeliveryReport,
  at: Date,
  reroute: Reroute,
): Message {
  const isOpen = message.state === 'accepted' || message.state === 'sent';
  const isToldAlready = attempt.outcome === 'accepted' && attempt.reason !== null;
  if (isToldAlready || (!isOpen && attempt.resend === 0)) return message;
  const reason = knownReason(report.reason);
  const noted = withAttempt(message, attempt.number, {
    ...attempt,
    outcome: 'accepted',
    finishedAt: attempt.finishedAt ?? at,
    reason,
    rawCode: report.raw_code,
    rawMessage: report.raw_message,
  });
  const { resend } = attempt;
  const next = isResendLost(noted, resend) ? withFailedResend(noted, resend, reason) : noted;
  if (!isOpen || canStillSucceed(next)) return next;
  // A carrier that reports on it had it, so it was sent, even if the report overtook the answer.
  const sent = accept(next, attempt, at);
  return reroute(sent, reason, at) ?? fail(sent, reason, at);
}

/** Returns `unknown_error` for a token that this release does not know. */
export function knownReason(token: string | null): Reason {
  return token !== null && token in REASON_RULES ? (token as Reason) : 'unknown_error';
}
