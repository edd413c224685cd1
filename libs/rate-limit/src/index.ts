export { MemoryRateLimiter } from './memory.adapter.js';
export type { MemoryRateLimiterOptions } from './memory.adapter.js';
export * from './rate-limit.port.js';
export { openRedisRateLimiter } from './open-redis-rate-limiter.js';
export type { RedisRateLimiter, RedisRateLimiterOptions } from './redis.adapter.js';
