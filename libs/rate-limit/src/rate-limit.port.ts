/**
 * Counts requests against limits. All counters of a request are taken in one call, in order. The
 * first full one refuses, and those after it count nothing ("a request refused by its key's limit
 * does not count against the workspace"). Those before it have counted.
 */
export interface Counter {
  /** Unique name, for example `key:<id>` or `otp-number:<workspace>:<number>`. */
  key: string;
  /**
   * `window` (default): a fixed window that begins with its first request. `bucket`: `limit` tokens
   * that come back one by one, all within `windowSeconds`. Ten a second with a burst of twenty is a
   * bucket of 20 that fills in 2 seconds.
   */
  kind?: 'window' | 'bucket';
  /** Requests admitted per window. Null means no limit; nothing is counted. */
  limit: number | null;
  windowSeconds: number;
}

export type Verdict =
  /**
   * `remaining` has one number per counter: what is left in its window or bucket, null without a
   * limit.
   */
  | { admitted: true; remaining: (number | null)[] }
  /** `refusedBy` is the index of the full counter; `retryAfterSeconds` is at least 1. */
  | { admitted: false; refusedBy: number; retryAfterSeconds: number };

export interface RateLimiter {
  /** Answers synchronously (memory) or not (Redis). Callers await it either way. */
  take(counters: readonly Counter[]): Verdict | Promise<Verdict>;
  /** Reverses what `take` counted in windows, for a request that must not count (a replay, a refusal). */
  giveBack(counters: readonly Counter[]): void | Promise<void>;
  close(): Promise<void>;
}
