import type { AttemptOutcome } from './delivery.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Milliseconds. The first delivery is immediate; then come seven retries, about 7.5 hours in all;
 * then it has failed.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  SECOND_MS,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
];

/**
 * Milliseconds that a receiver has for everything: connecting, answering, and ending its answer.
 */
export const ATTEMPT_DEADLINE_MS = 10 * SECOND_MS;

/** Milliseconds that a delivery may wait in memory for its turn. Then it becomes a row again. */
const WAIT_MAX_MS = 5 * SECOND_MS;

/** Milliseconds for recording the result. */
const RECORD_MAX_MS = 5 * SECOND_MS;

/** Milliseconds for which a process holds a delivery. After a crash, it rests this long. */
export const LEASE_MS = WAIT_MAX_MS + ATTEMPT_DEADLINE_MS + RECORD_MAX_MS;

/** Returns whether an attempt that starts now ends, and is recorded, before the lease. */
export function leaseSuffices(leasedUntilMs: number, nowMs: number): boolean {
  return leasedUntilMs - nowMs >= ATTEMPT_DEADLINE_MS + RECORD_MAX_MS;
}

const GONE = 410;
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

export type Decision =
  | { status: 'delivered' | 'failed'; nextAttemptAtMs: null }
  | { status: 'pending'; nextAttemptAtMs: number };

/**
 * Decides what follows. `attemptNumber` counts from 1. 2xx is delivered, everything else is not;
 * 410 asks for no further delivery.
 */
export function decide(
  attemptNumber: number,
  outcome: AttemptOutcome,
  nowMs: number,
  isRetried = true,
): Decision {
  const { statusCode } = outcome;
  if (outcome.error === null && statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { status: 'delivered', nextAttemptAtMs: null };
  }
  const delayMs = RETRY_DELAYS_MS[attemptNumber - 1];
  if (!isRetried || statusCode === GONE || delayMs === undefined) {
    return { status: 'failed', nextAttemptAtMs: null };
  }
  const waitMs = Math.max(delayMs, askedWaitMs(attemptNumber, outcome, nowMs));
  return { status: 'pending', nextAttemptAtMs: nowMs + waitMs };
}

export function isGone(outcome: AttemptOutcome): boolean {
  return outcome.statusCode === GONE;
}

/** Returns the milliseconds that a receiver asked for, at most the delay of the following attempt. */
function askedWaitMs(attemptNumber: number, outcome: AttemptOutcome, nowMs: number): number {
  if (!ASKS_TO_WAIT.has(outcome.statusCode ?? 0)) return 0;
  const boundMs = RETRY_DELAYS_MS[attemptNumber] ?? RETRY_DELAYS_MS.at(-1)!;
  return Math.min(retryAfterMs(outcome.retryAfter, nowMs), boundMs);
}

/** Parses seconds or an HTTP date. Returns 0 for anything else. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  // `Date` also parses texts without a zone, which are no HTTP dates.
  const waitMs = header.endsWith(' GMT') ? Date.parse(header) - nowMs : Number.NaN;
  return Number.isNaN(waitMs) ? 0 : Math.max(waitMs, 0);
}
