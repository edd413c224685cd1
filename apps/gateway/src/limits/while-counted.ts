import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';

type Refusal = Extract<Verdict, { admitted: false }>;

/**
 * Counts, then works. Work that throws or returns false does not count. Returns the refusal, without
 * working, when a counter is full.
 */
export async function whileCounted<Result>(
  limiter: RateLimiter,
  counters: readonly Counter[],
  work: () => Promise<Result>,
): Promise<Refusal | { admitted: true; result: Result }> {
  const verdict = await limiter.take(counters);
  if (!verdict.admitted) return verdict;
  let counts = false;
  try {
    const result = await work();
    counts = result !== false;
    return { admitted: true, result };
  } finally {
    if (!counts) await limiter.giveBack(counters);
  }
}
