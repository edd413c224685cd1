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

/** Counts against a limit of one minute, or throws the 429. */
export async function takeOfMinute(
  limiter: RateLimiter,
  key: string,
  limit: number,
): Promise<void> {
  await takeOrRefuse(limiter, [{ key, limit, windowSeconds: 60 }], 'rate_limit_exceeded');
}

export function tooManyRequests(
  refusal: Extract<Verdict, { admitted: false }>,
  type: LimitErrorType,
): ApiError {
  return new ApiError(type, { retryAfterSeconds: refusal.retryAfterSeconds });
}
