import { billingCalls } from '@watchword/contracts';
import type { Platform } from '@watchword/platform';
import { MemoryRateLimiter, openRedisRateLimiter, type RateLimiter } from '@watchword/rate-limit';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { gauge } from '@watchword/observability';
import { CounterStore } from './counter.store.js';
import { KeptCounters } from './kept-counters.js';
import { toldLimiter } from './told-limiter.js';

/** Injection tokens. */
export const RATE_LIMITER = Symbol('rate limiter');
export const LIMITS = Symbol('limits');

const limitsAway = gauge(
  'watchword_limits_counted_alone',
  'Whether this gateway counts limits without the others, because Redis is away.',
);

/** The counters of the limits, and their storage through a restart. */
export interface Limits {
  limiter: RateLimiter;
  /** Call it before anything is counted. */
  restore(): Promise<void>;
  /** Call it when other services can be called, before the first send. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the limits: counted together in Redis where there is one, else in memory. */
export function openLimits(platform: Platform): Promise<Limits> {
  return platform.config.redisUrl === '' ? countInMemory(platform) : countInRedis(platform);
}

async function countInMemory({ clock, database, logger, rpc }: Platform): Promise<Limits> {
  const limiter = new MemoryRateLimiter({ clock });
  const store = new CounterStore(database.pool);
  const billing = rpc.client(billingCalls);
  const workspaces = new WorkspaceStore(database.pool);
  const kept = new KeptCounters({
    limiter,
    store,
    billing,
    createdBySignUp: (ids) => workspaces.createdBySignUp(ids),
    clock,
    logger,
  });
  return {
    limiter: toldLimiter(limiter, logger),
    restore: () => kept.restore(),
    start: () => kept.start(),
    async stop() {
      await kept.stop();
      await limiter.close();
    },
  };
}

/** Redis outlives this process, so nothing is stored. */
async function countInRedis(platform: Platform): Promise<Limits> {
  const { clock, config, logger } = platform;
  const limiter = await openRedisRateLimiter({
    url: config.redisUrl,
    clock,
    logger,
    onAway: (isAway) => limitsAway({}, isAway ? 1 : 0),
  });
  platform.showDependency('redis', () => !limiter.away);
  const nothing = async () => undefined;
  const told = toldLimiter(limiter, logger);
  return { limiter: told, restore: nothing, start: nothing, stop: () => limiter.close() };
}
