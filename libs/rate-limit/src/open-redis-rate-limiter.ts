import type { RedisRateLimiter, RedisRateLimiterOptions } from './redis.adapter.js';

/** `RedisRateLimiter.open` in a file of its own, so that the Redis client is loaded only where there is a Redis. */
export async function openRedisRateLimiter(
  options: RedisRateLimiterOptions,
): Promise<RedisRateLimiter> {
  const adapter = await import('./redis.adapter.js');
  return adapter.RedisRateLimiter.open(options);
}
