/** Limits by destination, which hold across gateways also while Redis is unavailable (ADR 17). */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually, waitUntil } from '@watchword/testing';
import type { Counter } from '@watchword/rate-limit';
import type { RedisRateLimiter } from '../../libs/rate-limit/src/redis.adapter.js';
import { admittedOf, perMinute, system, until, useRedis } from './redis-system.kit.js';

useRedis();

/** Makes a limiter count alone, as after a late answer. */
function alone(limiter: RedisRateLimiter): void {
  const { presence } = limiter as unknown as { presence: { goAway(error: unknown): void } };
  presence.goAway(new Error('no answer'));
}

/** Resolves when the limiter has last counted so many gateways that listen. */
async function countsGateways(limiter: RedisRateLimiter, count: number): Promise<void> {
  const { gateways } = limiter as unknown as { gateways: { counts: number[] } };
  await waitUntil(`${count} gateways to be counted`, () => gateways.counts[0] === count);
}

describe('limits in Redis that are strict', () => {
  const strict = (limit: number) => perMinute(limit, { strict: true });

  async function openTwo(openOne = () => system.openPatient()) {
    const two = [await openOne(), await openOne()] as const;
    // Each counts the other, and gets its counts.
    for (const limiter of two) await countsGateways(limiter, 2);
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
      await system.node.kill();
      await until(one, true);
      await until(other, true);
      const sum = async (counter: Counter) =>
        (await admittedOf(limit, one, [counter])) + (await admittedOf(limit, other, [counter]));
      const [freshAlone, begunAlone] = [await sum(fresh), await sum(begun)];
      expect(freshAlone).toBeGreaterThanOrEqual(limit);
      expect(freshAlone).toBeLessThanOrEqual(limit + 1);
      expect(before + begunAlone).toBeGreaterThanOrEqual(limit);
      expect(before + begunAlone).toBeLessThanOrEqual(limit + 1);
      await system.node.start();
      await until(one, false);
      await until(other, false);
      expect(await sum(fresh)).toBe(0);
      expect(await sum(begun)).toBe(0);
    },
  );

  it('go on where both left off, when each has counted a part alone', async () => {
    const [one, other] = await openTwo();
    const counter = strict(10);
    await system.node.kill();
    await until(one, true);
    await until(other, true);
    expect(await admittedOf(3, one, [counter])).toBe(3);
    expect(await admittedOf(4, other, [counter])).toBe(4);
    await system.node.start();
    await until(one, false);
    await until(other, false);
    expect(await admittedOf(20, other, [counter])).toBe(3);
  });

  it('have a gateway that starts without Redis admit its share, and never more than the whole', async () => {
    const one = await system.openPatient();
    const counter = strict(5);
    expect(await admittedOf(10, one, [counter])).toBe(5);
    await system.node.kill();
    await until(one, true);
    const started = await system.openPatient();
    expect(await admittedOf(10, started, [counter])).toBe(3);
    expect(await admittedOf(10, one, [counter])).toBe(0);
    await system.node.start();
    await until(one, false);
    await until(started, false);
    expect(await admittedOf(10, started, [counter])).toBe(0);
  });

  it('are known to a gateway that starts later and is asked for them only when Redis is away', async () => {
    const one = await system.openPatient();
    const counters = Array.from({ length: 2_500 }, () => strict(1));
    const fresh = strict(1);
    for (const counter of counters) expect(await admittedOf(1, one, [counter])).toBe(1);
    const started = await system.openPatient();
    await system.node.kill();
    await until(started, true);
    for (const counter of counters) expect(await admittedOf(1, started, [counter])).toBe(0);
    expect(await admittedOf(1, started, [fresh])).toBe(1);
  });

  it('are learned by a gateway that could not listen for a while', async () => {
    const [one, other] = await openTwo();
    const counter = strict(3);
    const redis = await system.connected();
    await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
    expect(await admittedOf(3, one, [counter])).toBe(3);
    await sleep(2_500);
    redis.destroy();
    await system.node.kill();
    await until(other, true);
    expect(await admittedOf(3, other, [counter])).toBe(0);
  });

  it('are those of the gateway that knows most, when Redis comes back without its memory', async () => {
    const one = await system.openPatient();
    const [asked, unasked] = [strict(5), strict(5)];
    expect(await admittedOf(5, one, [asked])).toBe(5);
    expect(await admittedOf(4, one, [unasked])).toBe(4);
    await system.node.kill();
    await until(one, true);
    // Knows nothing, and takes itself for one of two.
    const started = await system.openPatient();
    expect(await admittedOf(5, started, [asked])).toBe(3);
    expect(await admittedOf(5, one, [asked])).toBe(0);
    await system.node.start();
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
    const one = await system.openPatient();
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

  it('are sent once, although the answer comes too late', async () => {
    const [one, other] = await openTwo(() => system.open());
    const counter = strict(100);
    alone(one);
    expect(await admittedOf(10, one, [counter])).toBe(10);
    system.node.pause();
    await sleep(900);
    system.node.resume();
    await until(one, false);
    await until(other, false);
    const verdict = await other.take([counter]);
    expect(verdict).toEqual({ admitted: true, remaining: [89] });
  });

  it('hold when Redis comes back with a memory that is old', async () => {
    const one = await system.openPatient();
    const counter = strict(5);
    const redis = await system.connected();
    expect(await admittedOf(1, one, [counter])).toBe(1);
    await redis.sendCommand(['SAVE']);
    redis.destroy();
    expect(await admittedOf(4, one, [counter])).toBe(4);
    await system.node.kill();
    await until(one, true);
    await system.node.start();
    await until(one, false);
    expect(await admittedOf(5, one, [counter])).toBe(0);
    await rm(join(system.directory, 'dump.rdb'), { force: true });
  });

  it.each(['-scan', 'resetchannels'])(
    'count together also for a user of Redis with %s, and it is said',
    async (right) => {
      const { redis, lines, limiter } = await system.openAs('narrow', ['~*', '&*', '+@all', right]);
      const told = (line: string) =>
        /limits by destination are not|destination limits of/.test(line);
      await eventually(() => expect(lines.filter(told)).toHaveLength(1));
      expect(limiter.away).toBe(false);
      alone(limiter);
      await until(limiter, false);
      const counter = strict(3);
      expect(await admittedOf(5, limiter, [counter])).toBe(3);
      expect(lines.filter(told)).toHaveLength(1);
      await redis.aclDelUser('narrow');
      redis.destroy();
    },
  );

  it('need no other rights than those of the operators guide', async () => {
    const guide = await readFile('docs/guides/operate/install.md', 'utf8');
    const [, rights = ''] = /needs `(~watchword[^`]+)`/.exec(guide) ?? [];
    const { redis, lines, limiter } = await system.openAs('guided', rights.split(/\s+/));
    const counters = [strict(3), perMinute(4), perMinute(5, { kind: 'bucket' })];
    expect(await admittedOf(5, limiter, counters)).toBe(3);
    await limiter.giveBack(counters);
    expect((await limiter.wouldTake(counters)).admitted).toBe(true);
    await system.empty();
    await eventually(async () => {
      expect(await redis.keys(`*strict:${counters[0]?.key}`)).toHaveLength(1);
    });
    expect(lines).toEqual([]);
    await redis.aclDelUser('guided');
    redis.destroy();
  });

  it('are forgotten by no gateway when Redis is emptied', async () => {
    const [one, other] = await openTwo();
    const counter = strict(5);
    expect(await admittedOf(3, one, [counter])).toBe(3);
    await sleep(100);
    await system.empty();
    expect(await admittedOf(10, other, [counter])).toBe(2);
  });
});
