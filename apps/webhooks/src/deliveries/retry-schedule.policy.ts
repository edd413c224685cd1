import type { AttemptOutcome } from './delivery.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The first delivery is made at once; then seven retries, about 7.5 hours in all; then it has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  SECOND_MS,
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
];

/** A receiver has this long for everything: connecting, answering, and ending its answer. */
export const ATTEMPT_DEADLINE_MS = 10 * SECOND_MS;

/** How long a delivery may wait in memory for its turn; after that it goes back to being a row. */
const WAIT_MAX_MS = 5 * SECOND_MS;

/** How long recording the result may take. */
const RECORD_MAX_MS = 5 * SECOND_MS;

/** After a crash, this is how long its deliveries rest. */
export const LEASE_MS = WAIT_MAX_MS + ATTEMPT_DEADLINE_MS + RECORD_MAX_MS;

/** Whether an attempt that starts now ends, and is recorded, before the lease does. */
export function leaseSuffices(leasedUntilMs: number, nowMs: number): boolean {
  return leasedUntilMs - nowMs >= ATTEMPT_DEADLINE_MS + RECORD_MAX_MS;
}

const GONE = 410;
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

export type Decision =
  | { status: 'delivered' | 'failed'; nextAttemptAtMs: null }
  | { status: 'pending'; nextAttemptAtMs: number };

/** `attemptNumber` counts from 1. 2xx is delivered, all else is not; 410 asks never to be asked again. */
export function decide(attemptNumber: number, outcome: AttemptOutcome, nowMs: number): Decision {
  const { statusCode } = outcome;
  if (outcome.error === null && statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { status: 'delivered', nextAttemptAtMs: null };
  }
  const delayMs = RETRY_DELAYS_MS[attemptNumber - 1];
  if (statusCode === GONE || delayMs === undefined) {
    return { status: 'failed', nextAttemptAtMs: null };
  }
  const waitMs = Math.max(delayMs, askedWaitMs(attemptNumber, outcome, nowMs));
  return { status: 'pending', nextAttemptAtMs: nowMs + waitMs };
}

export function isGone(outcome: AttemptOutcome): boolean {
  return outcome.statusCode === GONE;
}

/** A receiver may stretch the wait up to the delay that would come next, never shorten it. */
function askedWaitMs(attemptNumber: number, outcome: AttemptOutcome, nowMs: number): number {
  if (!ASKS_TO_WAIT.has(outcome.statusCode ?? 0)) return 0;
  const boundMs = RETRY_DELAYS_MS[attemptNumber] ?? RETRY_DELAYS_MS.at(-1)!;
  return Math.min(retryAfterMs(outcome.retryAfter, nowMs), boundMs);
}

/** Seconds or an HTTP date; 0 when the header is neither. */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  // `Date` also reads texts without a zone; those are no HTTP dates.
  const waitMs = header.endsWith(' GMT') ? Date.parse(header) - nowMs : Number.NaN;
  return Number.isNaN(waitMs) ? 0 : Math.max(waitMs, 0);
}
