import { ApiError, type LimitErrorType } from '@watchword/contracts';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';

/** Counts, or throws the route's 429. */
export async function takeOrRefuse(
  limiter: RateLimiter,
  counters: readonly Counter[],
  type: LimitErrorType,
): Promise<void> {
  if (counters.length === 0) return;
  const verdict = await limiter.take(counters);
  if (!verdict.admitted) throw tooManyRequests(verdict, type);
}

export function tooManyRequests(
  refusal: Extract<Verdict, { admitted: false }>,
  type: LimitErrorType,
): ApiError {
  return new ApiError(type, { retryAfterSeconds: refusal.retryAfterSeconds });
}
