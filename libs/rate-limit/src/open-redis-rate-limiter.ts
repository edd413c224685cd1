import type { RedisRateLimiter, RedisRateLimiterOptions } from './redis.adapter.js';

/** `RedisRateLimiter.open`, for those who load the Redis client only when there is a Redis. */
export async function openRedisRateLimiter(
  options: RedisRateLimiterOptions,
): Promise<RedisRateLimiter> {
  const adapter = await import('./redis.adapter.js');
  return adapter.RedisRateLimiter.open(options);
}
