import type { Clock } from '@watchword/contracts';
import { type Bucket, bucketVerdict } from './bucket.policy.js';
import type { Counter, RateLimiter, Verdict } from './rate-limit.port.js';

/**
 * Limits counted in this process: the embedded default. Every answer is synchronous, so a `take`
 * sees all earlier ones, and parallel requests cannot both get the last place.
 *
 * - A window begins with its first request. It is deleted after its end: at the next request of its
 *   key, or by a sweep that checks a few keys with every new one, oldest first.
 * - Memory is bounded by `countersMax`. Beyond it the oldest windows are dropped early, which
 *   admits some requests too many instead of refusing all. That takes a million different keys
 *   within one window; `dropped` counts it.
 */
export interface MemoryRateLimiterOptions {
  clock: Clock;
  countersMax?: number;
}

interface Window {
  count: number;
  endsAtMs: number;
}

/**
 * The window that counted a counter, which is given back to that window only. It is noted on the
 * counter: the collector would spend more on a WeakMap of all requests than they take.
 */
const countedIn = Symbol('counted in');

interface CountedCounter extends Counter {
  [countedIn]?: Window;
}

const COUNTERS_MAX_DEFAULT = 1_000_000;

/** More than one, so that the sweep outruns the growth. */
const SWEPT_PER_NEW_KEY = 2;

export class MemoryRateLimiter implements RateLimiter {
  /** Windows that were dropped early for lack of room. */
  dropped = 0;

  private readonly windows = new Map<string, Window>();
  private readonly clock: Clock;
  private readonly countersMax: number;
  private sweep: Iterator<[string, Window]>;

  constructor(options: MemoryRateLimiterOptions) {
    this.clock = options.clock;
    this.countersMax = options.countersMax ?? COUNTERS_MAX_DEFAULT;
    this.sweep = this.windows.entries();
  }

  get size(): number {
    return this.windows.size;
  }

  take(counters: readonly Counter[]): Verdict {
    const nowMs = this.clock.now();
    const remaining: (number | null)[] = [];
    for (let index = 0; index < counters.length; index += 1) {
      const { key, kind, limit, windowSeconds } = counters[index] as Counter;
      if (limit === null) {
        remaining.push(null);
        continue;
      }
      if (kind === 'bucket') {
        const verdict = this.takeToken(key, { limit, windowSeconds }, nowMs);
        if (!verdict.admitted) return { ...verdict, refusedBy: index };
        remaining.push(verdict.remaining);
        continue;
      }
      const latestEndMs = nowMs + windowSeconds * 1_000;
      const window = this.current(key, nowMs);
      // A clock that was set back, or a shorter window, must not refuse every request.
      if (window && window.endsAtMs > latestEndMs) window.endsAtMs = latestEndMs;
      const count = (window?.count ?? 0) + 1;
      if (count > limit) {
        const endsAtMs = window?.endsAtMs ?? latestEndMs;
        const retryAfterSeconds = Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));
        return { admitted: false, refusedBy: index, retryAfterSeconds };
      }
      const counted = window ?? { count, endsAtMs: latestEndMs };
      counted.count = count;
      if (!window) this.begin(key, counted, nowMs);
      (counters[index] as CountedCounter)[countedIn] = counted;
      remaining.push(limit - count);
    }
    return { admitted: true, remaining };
  }

  giveBack(counters: readonly Counter[]): void {
    const nowMs = this.clock.now();
    for (const counter of counters) {
      const { key, kind, limit } = counter;
      if (limit === null || kind === 'bucket') continue;
      const window = this.current(key, nowMs);
      if (!window || window !== ((counter as CountedCounter)[countedIn] ?? window)) continue;
      window.count = Math.max(0, window.count - 1);
    }
  }

  /**
   * Takes a token. A bucket is stored as the time when it is full again, so it lives like a window
   * until then.
   */
  private takeToken(key: string, bucket: Bucket, nowMs: number) {
    const window = this.current(key, nowMs);
    const verdict = bucketVerdict(bucket, window ? window.endsAtMs - nowMs : 0);
    if (!verdict.admitted) return verdict;
    const endsAtMs = nowMs + verdict.fullInMs;
    if (window) window.endsAtMs = endsAtMs;
    else this.begin(key, { count: 0, endsAtMs }, nowMs);
    return verdict;
  }

  async close(): Promise<void> {
    this.windows.clear();
  }

  private current(key: string, nowMs: number): Window | undefined {
    const window = this.windows.get(key);
    return window && window.endsAtMs > nowMs ? window : undefined;
  }

  private begin(key: string, window: Window, nowMs: number): void {
    // Put at the end, where the youngest are. An ended window of the same key is replaced.
    this.windows.delete(key);
    this.sweepSome(nowMs);
    if (this.windows.size >= this.countersMax) this.dropOldest();
    this.windows.set(key, window);
  }

  private sweepSome(nowMs: number): void {
    for (let looked = 0; looked < SWEPT_PER_NEW_KEY; looked += 1) {
      const next = this.sweep.next();
      if (next.done) {
        this.sweep = this.windows.entries();
        return;
      }
      const [key, { endsAtMs }] = next.value;
      if (endsAtMs <= nowMs) this.windows.delete(key);
    }
  }

  private dropOldest(): void {
    const oldest = this.windows.keys().next();
    if (oldest.done) return;
    this.windows.delete(oldest.value);
    this.dropped += 1;
  }
}
