export { MemoryRateLimiter } from './memory.adapter.js';
export type { MemoryRateLimiterOptions, RateLimitSnapshot } from './memory.adapter.js';
export * from './rate-limit.port.js';
