import type { DndCapable } from '@watchword/carriers';
import { type MessageId, newId, type PublicReason, type Reason } from '@watchword/contracts';
import { channelOf } from '../channels/channels.js';
import { attemptsOf, type Message, type Resend } from './message.js';
import { fail } from './message-change.policy.js';

/**
 * A message is sent once, and then again for each of its resends (ADR 4): each of these sendings has its own
 * providers, attempts and charge, and fails by itself. The message fails when none of them can succeed.
 */

/** A provider that may be asked. */
export interface Candidate {
  readonly name: string;
  readonly dndCapable: DndCapable;
}

/** Whether further providers may be asked for this sending. */
export function isUnderWay({ state, resends }: Message, resend: number): boolean {
  if (resend === 0) return state === 'accepted';
  const own = resends.find(({ number }) => number === resend);
  if (own?.reason !== null) return false;
  return state === 'sent' || (state === 'delivered' && !own.isReroute);
}

function isReroute({ resends }: Message, number: number): boolean {
  return resends.some((resend) => resend.number === number && resend.isReroute);
}

/** Names of the providers that the sending goes to no more. A re-route goes to none that had the message. */
function triedBy(message: Message, resend: number): ReadonlySet<string> {
  const tried = isReroute(message, resend) ? message.attempts : attemptsOf(message, resend);
  return new Set(tried.map(({ provider }) => provider));
}

/** Returns those of the candidates that the sending may still go to, best first. */
export function leftFor(
  message: Message,
  resend: number,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const tried = triedBy(message, resend);
  return inOrderFor(message, resend, candidates).filter(
    (candidate) => !tried.has(candidate.name) && mayReach(message, candidate),
  );
}

/**
 * Once a carrier named a Do Not Disturb registry, in any sending, the message goes on only where the account
 * may send to such numbers. A promotional one goes on nowhere.
 */
function mayReach({ attempts, content }: Message, { dndCapable }: Candidate): boolean {
  if (!attempts.some(({ reason }) => reason === 'dnd_active')) return true;
  return dndCapable[content.kind] && !channelOf(content).isPromotional(content);
}

/** A resend goes first to the provider that was given the message least often: the next best one. */
function inOrderFor(
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
 * Fails a resend and refunds its own charge. The message fails with it when nothing else can still
 * reach the handset.
 */
export function failResend(
  message: Message,
  number: number,
  reason: PublicReason,
  at: Date,
): Message {
  const next = withFailedResend(message, number, reason);
  if (reason === 'cancelled' || message.state !== 'sent' || canStillSucceed(next)) return next;
  return fail(next, reasonOfAll(next, number, reason), at);
}

export function withFailedResend(message: Message, number: number, reason: PublicReason): Message {
  const resends = message.resends.map((resend) =>
    resend.number === number && resend.reason === null ? { ...resend, reason } : resend,
  );
  return { ...message, resends };
}

/** The message fails as a report said before, where no provider took its re-route. */
function reasonOfAll(message: Message, number: number, reason: Reason): Reason {
  const taken = message.attempts.filter(({ outcome }) => outcome === 'accepted');
  if (!isReroute(message, number) || taken.some(({ resend }) => resend === number)) return reason;
  return taken.findLast((attempt) => attempt.reason !== null)?.reason ?? reason;
}

/** Returns whether an attempt is unanswered, or accepted and not reported as failed. */
export function canStillSucceed({ attempts }: Pick<Message, 'attempts'>): boolean {
  return attempts.some(
    ({ outcome, reason }) => outcome === null || (outcome === 'accepted' && reason === null),
  );
}

/** Whether the failure of this attempt is that of its resend. */
export function isResendLost(message: Message, number: number): boolean {
  return number > 0 && !canStillSucceed({ attempts: attemptsOf(message, number) });
}

/** The re-route of a message that has none yet. */
export function plannedReroute(at: Date): Resend {
  return { ...newResend({ resends: [] }, newId(), at), isReroute: true };
}

export function newResend({ resends }: Pick<Message, 'resends'>, id: MessageId, at: Date): Resend {
  const number = 1 + Math.max(0, ...resends.map((resend) => resend.number));
  return { number, id, reservedAt: at, startedAt: null, reason: null };
}
