import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningRedis, type ServerProcess, startRedis } from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import type { Counter } from '@watchword/rate-limit';
import { waitUntil } from '@watchword/testing';
import { createClient } from 'redis';
import { describeRateLimitContract } from '../../libs/rate-limit/src/rate-limit-contract.kit.js';
import {
  RedisRateLimiter,
  type RedisRateLimiterOptions,
} from '../../libs/rate-limit/src/redis.adapter.js';

const clock = { now: () => Date.now() };
const silent = createLogger({ service: 'test', level: 'silent' });

const LOOK_EVERY_MS = 5;

let directory: string;
let server: RunningRedis;
let node: ServerProcess;
const limiters: RedisRateLimiter[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-redis-'));
  server = await startRedis({ dataDir: directory });
  node = server.node as ServerProcess;
}, 120_000);

afterEach(async () => {
  node.resume();
  await node.start();
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});

afterAll(async () => {
  await server?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** What was logged, and what was told to the metric. */
function watching() {
  const lines: string[] = [];
  const states: boolean[] = [];
  const logger = createLogger({ service: 'test', level: 'info' }, { write: (l) => lines.push(l) });
  return { lines, states, logger, onAway: (isAway: boolean) => void states.push(isAway) };
}

async function open(logger = silent, onAway?: (isAway: boolean) => void) {
  return opened({ logger, onAway });
}

/**
 * What is counted does not hang on the patience: here Redis may stand still for a moment, as a busy
 * machine lets it.
 */
async function openPatient() {
  return opened({ logger: silent, patienceMs: 900 });
}

async function opened(more: Omit<RedisRateLimiterOptions, 'url' | 'clock'>) {
  const limiter = await RedisRateLimiter.open({ url: server.url, clock, ...more });
  limiters.push(limiter);
  return limiter;
}

/** The administrator of Redis. */
async function connected() {
  return createClient({ url: server.url }).connect();
}

/** As a user of Redis that has these rights. */
async function openAs(user: string, rights: readonly string[]) {
  const redis = await connected();
  await redis.aclSetUser(user, ['on', '>secret', ...rights]);
  const { lines, logger } = watching();
  const url = server.url.replace('redis://', `redis://${user}:secret@`);
  const limiter = await RedisRateLimiter.open({ url, clock, logger });
  limiters.push(limiter);
  return { redis, lines, limiter };
}

function perMinute(limit: number, more: Partial<Counter> = {}): Counter {
  return { key: `test:${randomUUID()}`, limit, windowSeconds: 60, ...more };
}

async function admittedOf(times: number, limiter: RedisRateLimiter, counters: Counter[]) {
  let admitted = 0;
  for (let taken = 0; taken < times; taken += 1) {
    if ((await limiter.take(counters)).admitted) admitted += 1;
  }
  return admitted;
}

/** How long it took, less the time that this process was not given by a machine that others use as well. */
async function timed<Answer>(work: () => Promise<Answer>) {
  let [lookedAt, stolenMs] = [performance.now(), 0];
  const startedAt = lookedAt;
  const look = () => {
    const now = performance.now();
    stolenMs += Math.max(0, now - lookedAt - 2 * LOOK_EVERY_MS);
    lookedAt = now;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  const answer = await work();
  clearInterval(looking);
  look();
  return { answer, tookMs: performance.now() - startedAt - stolenMs };
}

/** As when an answer came too late, although Redis is there. */
function alone(limiter: RedisRateLimiter): void {
  const { presence } = limiter as unknown as { presence: { goAway(error: unknown): void } };
  presence.goAway(new Error('no answer'));
}

async function until(limiter: RedisRateLimiter, away: boolean) {
  const what = away ? 'Redis to be away' : 'Redis to be back';
  await waitUntil(what, () => limiter.away === away, { everyMs: 5 });
}

async function emptied(): Promise<void> {
  const redis = await connected();
  await redis.flushAll();
  redis.destroy();
}

describeRateLimitContract('in Redis', async () => ({
  limiter: await RedisRateLimiter.open({ url: server.url, clock, logger: silent }),
  advance: (milliseconds) => sleep(milliseconds),
}));

describe('limits in Redis', () => {
  it('are those of all gateways together', async () => {
    const [one, other] = [await open(), await open()];
    const counter = perMinute(7);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).take([counter])),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(7);
  });

  it('are counted here from what is known, when Redis is killed, and each request at once', async () => {
    const { lines, states, logger, onAway } = watching();
    const limiter = await open(logger, onAway);
    const counters = [perMinute(5), perMinute(100)];
    expect(await admittedOf(3, limiter, counters)).toBe(3);
    await node.kill();
    const { answer, tookMs } = await timed(() => admittedOf(1, limiter, counters));
    expect(answer).toBe(1);
    expect(tookMs).toBeLessThan(100);
    expect(await admittedOf(50, limiter, counters)).toBe(1);
    expect(await admittedOf(500, limiter, [perMinute(20)])).toBe(20);
    expect(states).toEqual([true]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('counts limits alone');

    await node.start();
    await until(limiter, false);
    expect(states).toEqual([true, false]);
    expect(lines).toHaveLength(2);
    expect(await limiter.take(counters)).toMatchObject({ admitted: false, refusedBy: 0 });
  });

  it('are counted here within 100 ms when Redis hangs, and together again when it goes on', async () => {
    const { lines, logger } = watching();
    const [limiter, other] = [await open(logger), await open()];
    const counter = perMinute(10);
    expect(await admittedOf(4, limiter, [counter])).toBe(4);
    node.pause();
    const times: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { answer, tookMs } = await timed(async () => limiter.take([counter]));
      expect(answer.admitted).toBe(true);
      times.push(tookMs);
    }
    expect(Math.max(...times)).toBeLessThan(100);
    expect(times[2]).toBeLessThan(5);
    await sleep(2_500);
    expect(limiter.away).toBe(true);
    expect(lines).toHaveLength(1);
    node.resume();
    await until(limiter, false);
    await until(other, false);
    // Seven have been admitted; the one that ran into the patience may count twice.
    expect(await limiter.take([counter])).toMatchObject({ admitted: true });
    const rest = await admittedOf(10, other, [counter]);
    expect([1, 2]).toContain(rest);
  }, 20_000);

  it('are not counted here because this process was busy itself', async () => {
    const limiter = await open();
    const counter = perMinute(100);
    await limiter.take([counter]);
    for (let turn = 0; turn < 10; turn += 1) {
      const taking = limiter.take([counter]);
      const until = performance.now() + 120;
      while (performance.now() < until);
      await taking;
      expect(limiter.away).toBe(false);
    }
  });

  it('are counted here as long as Redis answers and takes no write', async () => {
    const { lines, states, logger, onAway } = watching();
    const limiter = await open(logger, onAway);
    const counter = perMinute(1_000);
    const redis = await connected();
    await redis.configSet('maxmemory', '1');
    // Longer than the answers in a row that bring Redis back.
    for (let n = 0; n < 30; n += 1) {
      expect(await limiter.take([counter])).toMatchObject({ admitted: true });
      await sleep(100);
    }
    expect(states).toEqual([true]);
    expect(lines).toHaveLength(1);
    await redis.configSet('maxmemory', '0');
    redis.destroy();
    await until(limiter, false);
    expect(states).toEqual([true, false]);
  }, 20_000);

  it('are not forgotten by the gateway when Redis is emptied', async () => {
    const limiter = await open();
    const counter = perMinute(3);
    expect(await admittedOf(3, limiter, [counter])).toBe(3);
    await emptied();
    expect(await limiter.take([counter])).toMatchObject({ admitted: false });
    const verdict = await limiter.take([counter]);
    expect(verdict.admitted ? 0 : verdict.retryAfterSeconds).toBeGreaterThan(50);
  });

  describe('that are strict', () => {
    const strict = (limit: number) => perMinute(limit, { strict: true });

    async function openTwo(openOne = openPatient) {
      const two = [await openOne(), await openOne()] as const;
      // Each has counted the other, and hears what it counts.
      await sleep(1_500);
      return two;
    }

    it.each([1, 3, 20])(
      'of %i, are one too many at most for a second gateway alone',
      async (limit) => {
        const [one, other] = await openTwo();
        const [fresh, begun] = [strict(limit), strict(limit)];
        const before = Math.ceil(limit / 2);
        expect(await admittedOf(before, one, [begun])).toBe(before);
        await sleep(100);
        await node.kill();
        await until(one, true);
        await until(other, true);
        const sum = async (counter: Counter) =>
          (await admittedOf(limit, one, [counter])) + (await admittedOf(limit, other, [counter]));
        const [freshAlone, begunAlone] = [await sum(fresh), await sum(begun)];
        expect(freshAlone).toBeGreaterThanOrEqual(limit);
        expect(freshAlone).toBeLessThanOrEqual(limit + 1);
        expect(before + begunAlone).toBeGreaterThanOrEqual(limit);
        expect(before + begunAlone).toBeLessThanOrEqual(limit + 1);
        await node.start();
        await until(one, false);
        await until(other, false);
        expect(await sum(fresh)).toBe(0);
        expect(await sum(begun)).toBe(0);
      },
    );

    it('go on where both left off, when each has counted a part alone', async () => {
      const [one, other] = await openTwo();
      const counter = strict(10);
      await node.kill();
      await until(one, true);
      await until(other, true);
      expect(await admittedOf(3, one, [counter])).toBe(3);
      expect(await admittedOf(4, other, [counter])).toBe(4);
      await node.start();
      await until(one, false);
      await until(other, false);
      expect(await admittedOf(20, other, [counter])).toBe(3);
    });

    it('have a gateway that starts without Redis admit its share, and never more than the whole', async () => {
      const one = await openPatient();
      const counter = strict(5);
      expect(await admittedOf(10, one, [counter])).toBe(5);
      await node.kill();
      await until(one, true);
      const started = await openPatient();
      expect(await admittedOf(10, started, [counter])).toBe(3);
      expect(await admittedOf(10, one, [counter])).toBe(0);
      await node.start();
      await until(one, false);
      await until(started, false);
      expect(await admittedOf(10, started, [counter])).toBe(0);
    });

    it('are known to a gateway that starts later and is asked for them only when Redis is away', async () => {
      const one = await openPatient();
      const counters = Array.from({ length: 2_500 }, () => strict(1));
      const fresh = strict(1);
      for (const counter of counters) expect(await admittedOf(1, one, [counter])).toBe(1);
      const started = await openPatient();
      await node.kill();
      await until(started, true);
      for (const counter of counters) expect(await admittedOf(1, started, [counter])).toBe(0);
      expect(await admittedOf(1, started, [fresh])).toBe(1);
    });

    it('are learned by a gateway that could not listen for a while', async () => {
      const [one, other] = await openTwo();
      const counter = strict(3);
      const redis = await connected();
      await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
      expect(await admittedOf(3, one, [counter])).toBe(3);
      await sleep(2_500);
      redis.destroy();
      await node.kill();
      await until(other, true);
      expect(await admittedOf(3, other, [counter])).toBe(0);
    });

    it('are those of the gateway that knows most, when Redis comes back without its memory', async () => {
      const one = await openPatient();
      const [asked, unasked] = [strict(5), strict(5)];
      expect(await admittedOf(5, one, [asked])).toBe(5);
      expect(await admittedOf(4, one, [unasked])).toBe(4);
      await node.kill();
      await until(one, true);
      // Knows nothing, and takes itself for one of two.
      const started = await openPatient();
      expect(await admittedOf(5, started, [asked])).toBe(3);
      expect(await admittedOf(5, one, [asked])).toBe(0);
      await node.start();
      await until(started, false);
      await until(one, false);
      expect(await admittedOf(5, started, [unasked])).toBe(1);
      expect(await admittedOf(5, started, [asked])).toBe(0);
      expect(await admittedOf(5, one, [asked])).toBe(0);
    });

    it('are counted with what is heard of the others, when only one gateway has lost Redis', async () => {
      const [one, other] = await openTwo();
      const counter = strict(5);
      alone(one);
      expect(await admittedOf(1, one, [counter])).toBe(1);
      expect(await admittedOf(3, other, [counter])).toBe(3);
      await sleep(50);
      expect(one.away).toBe(true);
      expect(await admittedOf(5, one, [counter])).toBeLessThanOrEqual(1);
      await until(one, false);
      expect(await admittedOf(5, other, [counter])).toBeLessThanOrEqual(1);
    });

    it('are known to be free again to a gateway that has only heard of them', async () => {
      const [one, other] = await openTwo();
      const counter = strict(4);
      expect(await admittedOf(3, one, [counter])).toBe(3);
      for (let n = 0; n < 3; n += 1) await one.giveBack([counter]);
      await sleep(100);
      alone(other);
      expect(await admittedOf(1, other, [counter])).toBe(1);
      await until(other, false);
      expect(await admittedOf(10, one, [counter])).toBe(3);
    });

    it('are counted once each, however many requests come at once when Redis is back', async () => {
      const one = await openPatient();
      const counter = strict(100);
      expect(await admittedOf(10, one, [counter])).toBe(10);
      alone(one);
      expect(await admittedOf(5, one, [counter])).toBe(5);
      const taking = Array.from({ length: 20 }, () => one.take([counter]));
      await Promise.all(taking);
      await until(one, false);
      await Promise.all(Array.from({ length: 20 }, () => one.take([counter])));
      expect(await one.take([counter])).toEqual({ admitted: true, remaining: [44] });
    });

    it('are told once, although the answer to it comes too late', async () => {
      const [one, other] = await openTwo(open);
      const counter = strict(100);
      alone(one);
      expect(await admittedOf(10, one, [counter])).toBe(10);
      node.pause();
      await sleep(900);
      node.resume();
      await until(one, false);
      await until(other, false);
      const verdict = await other.take([counter]);
      expect(verdict).toEqual({ admitted: true, remaining: [89] });
    });

    it('hold when Redis comes back with a memory that is old', async () => {
      const one = await openPatient();
      const counter = strict(5);
      const redis = await connected();
      expect(await admittedOf(1, one, [counter])).toBe(1);
      await redis.sendCommand(['SAVE']);
      redis.destroy();
      expect(await admittedOf(4, one, [counter])).toBe(4);
      await node.kill();
      await until(one, true);
      await node.start();
      await until(one, false);
      expect(await admittedOf(5, one, [counter])).toBe(0);
      await rm(join(directory, 'dump.rdb'), { force: true });
    });

    it.each(['-scan', 'resetchannels'])(
      'count together also for a user of Redis with %s, and it is said',
      async (right) => {
        const { redis, lines, limiter } = await openAs('narrow', ['~*', '&*', '+@all', right]);
        await sleep(1_500);
        expect(limiter.away).toBe(false);
        alone(limiter);
        await until(limiter, false);
        const counter = strict(3);
        expect(await admittedOf(5, limiter, [counter])).toBe(3);
        const told = (line: string) =>
          /limits by destination are not|destination limits of/.test(line);
        expect(lines.filter(told)).toHaveLength(1);
        await redis.aclDelUser('narrow');
        redis.destroy();
      },
    );

    it('need no other rights than those of the operators guide', async () => {
      const guide = await readFile('docs/guides/operate/install.md', 'utf8');
      const [, rights = ''] = /needs `(~watchword[^`]+)`/.exec(guide) ?? [];
      const { redis, lines, limiter } = await openAs('guided', rights.split(/\s+/));
      const counters = [strict(3), perMinute(4), perMinute(5, { kind: 'bucket' })];
      expect(await admittedOf(5, limiter, counters)).toBe(3);
      await limiter.giveBack(counters);
      expect((await limiter.wouldTake(counters)).admitted).toBe(true);
      await emptied();
      await sleep(1_500);
      expect(await redis.keys(`*strict:${counters[0]?.key}`)).toHaveLength(1);
      expect(lines).toEqual([]);
      await redis.aclDelUser('guided');
      redis.destroy();
    });

    it('are forgotten by no gateway when Redis is emptied', async () => {
      const [one, other] = await openTwo();
      const counter = strict(5);
      expect(await admittedOf(3, one, [counter])).toBe(3);
      await sleep(100);
      await emptied();
      expect(await admittedOf(10, other, [counter])).toBe(2);
    });
  });

  it('hold from the first request on when Redis is away from the start', async () => {
    await node.kill();
    const limiter = await open();
    expect(limiter.away).toBe(true);
    const counter = perMinute(2);
    expect(await admittedOf(10, limiter, [counter])).toBe(2);
    await node.start();
    await until(limiter, false);
    expect(await limiter.take([counter])).toMatchObject({ admitted: false });
  });

  it('are given back while Redis is away, too', async () => {
    const limiter = await open();
    const counter = perMinute(1);
    await node.kill();
    expect(await admittedOf(2, limiter, [counter])).toBe(1);
    await limiter.giveBack([counter]);
    expect(await admittedOf(2, limiter, [counter])).toBe(1);
  });

  it('cost one call to Redis for all counters of a request', async () => {
    const limiter = await open();
    const redis = await connected();
    const callsOf = async () => {
      const info = await redis.info('commandstats');
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0);
    };
    await limiter.take([perMinute(1)]);
    const before = await callsOf();
    await limiter.take([perMinute(1), perMinute(1), perMinute(1), perMinute(1), perMinute(1)]);
    expect((await callsOf()) - before).toBe(1);
    redis.destroy();
  });
});
