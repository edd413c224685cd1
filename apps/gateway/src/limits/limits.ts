import { gauge } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { MemoryRateLimiter, openRedisRateLimiter, type RateLimiter } from '@watchword/rate-limit';

/** Injection token. */
export const RATE_LIMITER = Symbol('rate limiter');

const limitsAlone = gauge(
  'watchword_limits_counted_alone',
  'Whether this gateway counts limits without the others, because Redis is unavailable.',
);

/** Opens the limits: counted together in Redis where there is one, else in memory. */
export async function openLimiter(platform: Platform): Promise<RateLimiter> {
  const { clock, config, logger } = platform;
  if (config.redisUrl === '') return new MemoryRateLimiter({ clock });
  const limiter = await openRedisRateLimiter({
    url: config.redisUrl,
    clock,
    logger,
    onAvailable: (isAvailable) => limitsAlone({}, isAvailable ? 0 : 1),
  });
  platform.showDependency('redis', () => limiter.available);
  return limiter;
}
