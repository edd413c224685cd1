/**
 * Counting requests against limits. All counters of one request are taken in one call, in order:
 * the first that is full refuses, and the ones after it count nothing ("a request refused by its
 * key's limit does not count against the workspace"). The ones before it have counted.
 */
export interface Counter {
  /** Unique name, for example `key:<id>` or `otp-number:<workspace>:<number>`. */
  key: string;
  /**
   * `window`, which is meant unless told: a fixed window that begins with its first request.
   * `bucket`: `limit` tokens that come back one by one, all of them within `windowSeconds`. Ten a
   * second with a burst of twenty is a bucket of 20 that fills in 2 seconds.
   */
  kind?: 'window' | 'bucket';
  /** How many are admitted per window; null is no limit (nothing is counted). */
  limit: number | null;
  windowSeconds: number;
  /** How many the request counts for; 1 by default. */
  cost?: number;
  /**
   * Of a window: must hold although those who count together cannot reach each other. Then each of them has
   * its share of what is left, and all of them together admit at most one more for each but the first.
   */
  strict?: boolean;
}

export type Verdict =
  /**
   * `remaining` has one number per counter: what is left in its window or bucket, null where there
   * is no limit.
   */
  | { admitted: true; remaining: (number | null)[] }
  /** `refusedBy` is the index of the full counter; `retryAfterSeconds` is at least 1. */
  | { admitted: false; refusedBy: number; retryAfterSeconds: number };

export interface RateLimiter {
  /** May answer synchronously (memory) or not (Redis): callers await it either way. */
  take(counters: readonly Counter[]): Verdict | Promise<Verdict>;
  /** What `take` would answer now; counts nothing. */
  wouldTake(counters: readonly Counter[]): Verdict | Promise<Verdict>;
  /**
   * Uncounts what `take` counted, for a request that turned out not to be one (a replay, a
   * refusal).
   */
  giveBack(counters: readonly Counter[]): void | Promise<void>;
  close(): Promise<void>;
}
