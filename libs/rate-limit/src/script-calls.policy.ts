import type { LimitedCounter } from './alone-counts.js';
import { bucketVerdict, tokenMs, tokensLeft } from './bucket.policy.js';
import type { Counter, Verdict } from './rate-limit.port.js';

/**
 * Arguments and answers of the scripts in `redis.scripts.ts`. A change there needs a change here.
 */

/** This process's counts of a window. Redis may have fewer. */
export interface KnownWindow {
  count: number;
  leftMs: number;
  /** Units that only this process knows. Undefined when it has not counted alone. */
  alone: number | undefined;
}

/** Prefix by which strict windows are found among all keys. */
export const STRICT_NAME_BEGIN = 'strict:';

/** Returns the counter with the name that all gateways use. */
export function named(counter: Counter): Counter {
  return counter.strict ? { ...counter, key: STRICT_NAME_BEGIN + counter.key } : counter;
}

export function isLimited(counter: Counter): counter is LimitedCounter {
  return counter.limit !== null;
}

/** Returns the arguments of `takeScript` and `wouldTakeScript`. */
export function takeValues(
  { kind, limit, windowSeconds, cost = 1, strict }: LimitedCounter,
  known: KnownWindow | undefined,
): number[] {
  const { count = 0, leftMs = 0, alone } = known ?? {};
  const memory = [count, leftMs, alone === undefined ? 0 : 1, alone ?? 0];
  const isBucket = kind === 'bucket' ? 1 : 0;
  return [limit, windowSeconds * 1_000, cost, ...memory, isBucket, strict ? 1 : 0];
}

/** Returns the arguments of `giveBackScript`. `leftMs` is the rest of the window that counted, if known. */
export function giveBackValues(counter: LimitedCounter, leftMs = 0): number[] {
  const { kind, cost = 1, strict } = counter;
  const back = kind === 'bucket' ? cost * tokenMs(counter) : 0;
  return [cost, back, strict ? 1 : 0, Math.ceil(leftMs)];
}

/** Returns the verdict. `limited` are the counters that the script was asked about. */
export function verdictOf(
  counters: readonly Counter[],
  limited: readonly LimitedCounter[],
  answer: readonly number[],
): Verdict {
  const refusedAt = (answer[0] as number) - 1;
  const refusing = limited[refusedAt];
  if (refusing) {
    const leftMs = answer[2 * refusedAt + 2] as number;
    const retryAfterSeconds = comeBackIn(refusing, leftMs);
    return { admitted: false, refusedBy: placeOf(counters, refusedAt), retryAfterSeconds };
  }
  let place = 0;
  const remaining = counters.map((counter) => {
    const { kind, limit } = counter;
    if (limit === null) return null;
    place += 1;
    if (kind === 'bucket') return tokensLeft({ ...counter, limit }, answer[2 * place] as number);
    return limit - (answer[2 * place - 1] as number);
  });
  return { admitted: true, remaining };
}

function comeBackIn({ kind, cost = 1, ...counter }: LimitedCounter, leftMs: number): number {
  const verdict = kind === 'bucket' ? bucketVerdict({ ...counter, cost }, leftMs) : null;
  if (verdict && !verdict.admitted) return verdict.retryAfterSeconds;
  return verdict ? 1 : Math.max(1, Math.ceil(leftMs / 1_000));
}

/** Returns the index of the n-th limited counter among all. */
function placeOf(counters: readonly Counter[], nth: number): number {
  let limitedBefore = 0;
  return counters.findIndex(({ limit }) => limit !== null && limitedBefore++ === nth);
}
