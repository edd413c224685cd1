import type { RedisRateLimiter, RedisRateLimiterOptions } from './redis.adapter.js';

/**
 * `RedisRateLimiter.open` in its own file, so that the Redis client is loaded only where Redis is
 * used.
 */
export async function openRedisRateLimiter(
  options: RedisRateLimiterOptions,
): Promise<RedisRateLimiter> {
  const adapter = await import('./redis.adapter.js');
  return adapter.RedisRateLimiter.open(options);
}
