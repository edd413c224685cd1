import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type RunningRedis, type ServerProcess, startRedis } from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import type { Counter } from '@watchword/rate-limit';
import { waitUntil } from '@watchword/testing';
import { createClient } from 'redis';
import {
  RedisRateLimiter,
  type RedisRateLimiterOptions,
} from '../../libs/rate-limit/src/redis.adapter.js';

const clock = { now: () => Date.now() };
const silent = createLogger({ service: 'test', level: 'silent' });

/** A separate Redis, and the limiters that the test has opened on it. */
class RedisTestSystem {
  private readonly limiters: RedisRateLimiter[] = [];

  private constructor(
    private readonly server: RunningRedis,
    readonly node: ServerProcess,
    readonly directory: string,
  ) {}

  static async start(): Promise<RedisTestSystem> {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-redis-'));
    const server = await startRedis({ dataDir: directory });
    return new RedisTestSystem(server, server.node as ServerProcess, directory);
  }

  async open(more: Partial<RedisRateLimiterOptions> = {}): Promise<RedisRateLimiter> {
    const limiter = await this.limiter(more);
    this.limiters.push(limiter);
    return limiter;
  }

  /** Opens a limiter that the caller closes. */
  async limiter(more: Partial<RedisRateLimiterOptions> = {}): Promise<RedisRateLimiter> {
    const { url } = this.server;
    return RedisRateLimiter.open({ url, clock, logger: silent, ...more });
  }

  /** The administrator of Redis. */
  async connected() {
    return createClient({ url: this.server.url }).connect();
  }

  /** Leaves the server as the test found it. */
  async tidy(): Promise<void> {
    this.node.resume();
    await this.node.start();
    await Promise.all(this.limiters.splice(0).map((limiter) => limiter.close()));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** The Redis of the spec file, which `useRedis` starts before its tests. */
export let system: RedisTestSystem;

export function useRedis(): void {
  beforeAll(async () => {
    system = await RedisTestSystem.start();
  });

  afterEach(() => system.tidy());

  afterAll(() => system?.stop());
}

/** Records what is logged, and what the metric shows. */
export function watching() {
  const lines: string[] = [];
  const states: boolean[] = [];
  const logger = createLogger({ service: 'test', level: 'info' }, { write: (l) => lines.push(l) });
  return { lines, states, logger, onAvailable: (is: boolean) => void states.push(is) };
}

export function perMinute(limit: number, more: Partial<Counter> = {}): Counter {
  return { key: `test:${randomUUID()}`, limit, windowSeconds: 60, ...more };
}

export async function admittedOf(times: number, limiter: RedisRateLimiter, counters: Counter[]) {
  let admitted = 0;
  for (let taken = 0; taken < times; taken += 1) {
    if ((await limiter.take(counters)).admitted) admitted += 1;
  }
  return admitted;
}

export async function until(limiter: RedisRateLimiter, available: boolean): Promise<void> {
  const what = available ? 'Redis to be available' : 'Redis to be unavailable';
  await waitUntil(what, () => limiter.available === available, { everyMs: 5 });
}
