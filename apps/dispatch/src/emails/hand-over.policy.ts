import type { EmailBounce, EmailFailure } from '@watchword/contracts';
import type { EmailOutcome } from '@watchword/carriers';
import { bounced, delayed, delivered, failed, queue, sent } from './email-change.policy.js';
import {
  attemptsOf,
  type Email,
  type EmailAttempt,
  openAttempt,
  recipientOf,
  withAttempt,
  withRecipient,
} from './email.js';
import { playDue } from './test-script.policy.js';

/**
 * Which provider gets a copy, and what follows from its answer. Pure.
 *
 * - A 4xx is retried after 1 m, 5 m, 30 m, 2 h and then every 6 h, for 24 hours from the first
 *   hand-over.
 * - After a provider's own fault the same write chooses the next provider. If none is left and one
 *   fault is temporary, the copy waits as after a 4xx.
 * - After an ambiguous answer the copy waits for a report that settles it. Then the same provider
 *   gets it again, because two copies do less harm than none. No other provider gets it any more.
 *   After the last wait of its provider the next ambiguous answer counts as sent.
 * - A copy that may have been sent never fails, because a failure refunds the credits.
 */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETRY_AFTER_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
] as const;
const RETRIES_END_MS = 24 * HOUR_MS;
/** Waits after an ambiguous answer. A second copy has the same Message-ID, so few readers see both. */
const AMBIGUOUS_WAITS_MS: readonly number[] = [30_000, 5 * MINUTE_MS];
/** Of providers that replace the Message-ID. An event reports a copy that was sent meanwhile. */
const RENAMED_WAITS_MS: readonly number[] = [5 * MINUTE_MS];

/** Whether the account of this name may get a copy. */
export type MayTake = (name: string) => boolean;

/** The accounts of emails at one moment. */
export interface Providers {
  /**
   * Returns the best account that may get the copy. The copy can be the probe of a failing one;
   * then it is chosen again when it asks again.
   */
  readonly choose: (copy: string, mayTake: MayTake) => string | undefined;
  /** Accounts that operators have drained. An email that only they may take waits for them. */
  readonly drained: readonly string[];
  /** Accounts that replace the Message-ID. */
  readonly renaming: ReadonlySet<string>;
}

/** What a hand-over depends on besides the email. */
export interface HandOver {
  readonly providers: Providers;
  /** The process that makes the call. */
  readonly heldBy: string;
  readonly at: Date;
}

/** A hand-over of what is due, with what can prevent it. */
export interface DueHandOver extends HandOver {
  /** Addresses of this email that the workspace has suppressed. */
  readonly suppressed: ReadonlySet<string>;
  readonly mayDomainSend: boolean;
}

/** Begins what is due: the first hand-over, a retry, or the next step of test mode. */
export function beginDue(email: Email, dueHandOver: DueHandOver): Email {
  const { at, suppressed, mayDomainSend } = dueHandOver;
  const due = email.recipients.filter(({ dueAt }) => dueAt !== null && dueAt <= at);
  if (due.length === 0) return email;
  const queued = queue(email, at);
  return due.reduce((after, { number, address, state }) => {
    if (email.testMode) return playDue(after, number, at);
    if (state !== 'queued' || openAttempt(after, number)) return after;
    if (suppressed.has(address.toLowerCase())) {
      return failedUnlessSent(after, number, 'address_suppressed', at);
    }
    if (!mayDomainSend) return failedUnlessSent(after, number, 'domain_unverified', at);
    return handOver(after, number, dueHandOver);
  }, queued);
}

/** Returns whether anything is due, before the environment for `beginDue` is read. */
export function isDue(email: Email, at: Date): boolean {
  return email.recipients.some(({ dueAt }) => dueAt !== null && dueAt <= at);
}

/** Makes what is due now due later. */
export function postponed(email: Email, delayMs: number, at: Date): Email {
  const due = email.recipients.filter(({ dueAt }) => dueAt !== null && dueAt <= at);
  const dueAt = new Date(at.getTime() + delayMs);
  return due.reduce((after, { number }) => withRecipient(after, number, { dueAt }, at), email);
}

/**
 * Records an attempt at the next provider of this round. Without one the round is over. A provider
 * that may have sent the copy is the only one that gets it again.
 */
function handOver(email: Email, number: number, { providers, heldBy, at }: HandOver): Email {
  const { deferrals: round } = recipientOf(email, number);
  const attempts = attemptsOf(email, number);
  const mayTake = mayTakeOf(email, number);
  const provider = providers.choose(copyOf(email, number), mayTake);
  if (provider === undefined) {
    return withoutProvider(email, number, providers.drained.some(mayTake), at);
  }
  const attempt: EmailAttempt = {
    recipient: number,
    number: attempts.length + 1,
    round,
    provider,
    startedAt: at,
    finishedAt: null,
    outcome: null,
    wasAmbiguous: false,
    isTemporary: false,
    providerMessageId: null,
    rawCode: null,
    rawMessage: null,
    heldBy,
  };
  return withRecipient(withAttempt(email, attempt, at), number, { dueAt: null }, at);
}

/** Names the copy of a recipient. */
export function copyOf({ id }: Pick<Email, 'id'>, recipient: number): string {
  return `${id} ${recipient}`;
}

function mayTakeOf(email: Email, number: number): MayTake {
  const { deferrals: round } = recipientOf(email, number);
  const refusing = attemptsOf(email, number)
    .filter((attempt) => attempt.round === round && attempt.outcome === 'refused')
    .map(({ provider }) => provider);
  const mayHaveSent = ambiguousAt(email, number);
  return (name) => (mayHaveSent ?? name) === name && !refusing.includes(name);
}

/** Which accounts may get the copy if this attempt is refused. */
export function mayTakeNext(email: Email, { recipient, provider }: EmailAttempt): MayTake {
  const mayTake = mayTakeOf(email, recipient);
  return (name) => name !== provider && mayTake(name);
}

/**
 * One temporary refusal in the round, or one drained provider, is enough for a retry, because that
 * provider may recover.
 */
function withoutProvider(email: Email, number: number, isDrained: boolean, at: Date): Email {
  const { deferrals: round } = recipientOf(email, number);
  const isTemporary = attemptsOf(email, number).some(
    (one) => one.round === round && one.outcome === 'refused' && one.isTemporary,
  );
  return (isTemporary || isDrained) && !isOver(email, number, at)
    ? deferred(email, number, at)
    : failedUnlessSent(email, number, 'all_providers_failed', at);
}

/** Counts an email as sent that may have been. A later report still settles it. */
function failedUnlessSent(email: Email, number: number, reason: EmailFailure, at: Date): Email {
  return ambiguities(email, number) > 0
    ? sent(email, number, at)
    : failed(email, number, reason, at);
}

/** Returns the hand-overs without an answer: their copies may have been sent. */
function ambiguities(email: Email, number: number): number {
  return attemptsOf(email, number).filter(({ outcome }) => outcome === 'ambiguous').length;
}

/** Returns the provider that may have sent the copy, or null. */
function ambiguousAt(email: Email, number: number): string | null {
  const attempts = attemptsOf(email, number);
  return attempts.findLast(({ outcome }) => outcome === 'ambiguous')?.provider ?? null;
}

function deferred(email: Email, number: number, at: Date): Email {
  const { deferrals } = recipientOf(email, number);
  const waitMs = RETRY_AFTER_MS[Math.min(deferrals, RETRY_AFTER_MS.length - 1)]!;
  const dueAt = new Date(Math.min(at.getTime() + waitMs, retriesEndAt(email, number)));
  const waiting = withRecipient(email, number, { dueAt, deferrals: deferrals + 1 }, at);
  return delayed(waiting, number, at);
}

/** Names a hand-over of a recipient. */
export type AttemptRef = Pick<EmailAttempt, 'recipient' | 'number'>;

/**
 * Records the answer and what follows from it. An attempt that another process took over as
 * ambiguous still takes its answer.
 */
export function withOutcome(
  email: Email,
  ref: AttemptRef,
  outcome: EmailOutcome,
  context: HandOver,
): Email {
  const { at } = context;
  const attempt = attemptsOf(email, ref.recipient).find(({ number }) => number === ref.number);
  if (!attempt || (attempt.outcome !== null && attempt.outcome !== 'ambiguous')) return email;
  const wasAmbiguous = attempt.wasAmbiguous || outcome.outcome === 'ambiguous';
  const answered = { ...attempt, ...recordOf(outcome), wasAmbiguous, finishedAt: at };
  const after = withAttempt(email, answered, at);
  const { state } = recipientOf(email, ref.recipient);
  const isAnswered = attempt.outcome === null || outcome.outcome === 'accepted';
  return state === 'queued' && isAnswered
    ? followed(after, ref.recipient, outcome, context)
    : after;
}

function followed(email: Email, number: number, outcome: EmailOutcome, context: HandOver): Email {
  const { at } = context;
  switch (outcome.outcome) {
    case 'accepted':
      return outcome.delivered ? delivered(email, number, at) : sent(email, number, at);
    case 'bounced':
      return bounced(email, number, outcome.bounce, at);
    case 'deferred':
      return isOver(email, number, at)
        ? bounced(email, number, tooLate(outcome), at)
        : deferred(email, number, at);
    case 'rejected':
      return failedUnlessSent(email, number, 'content_rejected', at);
    case 'refused':
      return handOver(email, number, context);
    case 'ambiguous':
      return unsettled(email, number, context);
  }
}

/** The outcome is unknown. A report settles it, or the end of the wait. */
function unsettled(email: Email, number: number, { providers, at }: HandOver): Email {
  const isRenamed = providers.renaming.has(ambiguousAt(email, number) ?? '');
  const waits = isRenamed ? RENAMED_WAITS_MS : AMBIGUOUS_WAITS_MS;
  const waitMs = waits[ambiguities(email, number) - 1];
  if (waitMs === undefined) return sent(email, number, at);
  return withRecipient(email, number, { dueAt: new Date(at.getTime() + waitMs) }, at);
}

/** The process that held these hand-overs died or lost them. They may have been made. */
export function withoutAnswer(email: Email, refs: readonly AttemptRef[], context: HandOver): Email {
  const text = 'The process that made this call ended without recording an answer.';
  const unanswered = { outcome: 'ambiguous', rawCode: null, rawMessage: text } as const;
  return refs.reduce((after, ref) => {
    const open = openAttempt(after, ref.recipient);
    return open?.number === ref.number ? withOutcome(after, ref, unanswered, context) : after;
  }, email);
}

function isOver(email: Email, number: number, at: Date): boolean {
  return at.getTime() >= retriesEndAt(email, number);
}

/** 24 hours after the first hand-over, or after it was due where every provider is drained. */
function retriesEndAt(email: Email, number: number): number {
  const [first] = attemptsOf(email, number);
  const beganAt = first?.startedAt ?? email.queuedAt ?? email.createdAt;
  return beganAt.getTime() + RETRIES_END_MS;
}

function tooLate(outcome: { rawCode: string | null; rawMessage: string | null }): EmailBounce {
  const isFull = outcome.rawCode?.includes('.2.2') ?? false;
  return {
    type: 'transient',
    sub_type: isFull ? 'mailbox_full' : 'general',
    code: outcome.rawCode,
    message: outcome.rawMessage,
  };
}

function recordOf(outcome: EmailOutcome) {
  const nothing = {
    providerMessageId: null,
    rawCode: null,
    rawMessage: null,
    heldBy: null,
    isTemporary: false,
  };
  switch (outcome.outcome) {
    case 'accepted':
      return {
        ...nothing,
        outcome: outcome.outcome,
        providerMessageId: outcome.providerMessageId,
      };
    case 'bounced':
      return {
        ...nothing,
        outcome: outcome.outcome,
        rawCode: outcome.bounce.code,
        rawMessage: outcome.bounce.message,
      };
    default:
      return {
        ...nothing,
        outcome: outcome.outcome,
        isTemporary: outcome.outcome === 'refused' && outcome.temporary,
        rawCode: outcome.rawCode,
        rawMessage: outcome.rawMessage,
      };
  }
}
