import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { describeRateLimitContract } from '../../libs/rate-limit/src/rate-limit-contract.kit.js';
import { admittedOf, perMinute, system, until, useRedis, watching } from './redis-system.kit.js';

useRedis();

describeRateLimitContract('in Redis', async () => ({
  limiter: await system.limiter(),
  advance: (milliseconds) => sleep(milliseconds),
}));

describe('limits in Redis', () => {
  it('limits in Redis are those of all gateways together', async () => {
    const [one, other] = [await system.open(), await system.open()];
    const counter = perMinute(7);
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).take([counter])),
    );
    expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(7);
  });

  it('limits in Redis are counted here from what is known, when Redis is killed', async () => {
    const { lines, states, logger, onAway } = watching();
    const limiter = await system.open({ logger, onAway });
    const counters = [perMinute(5), perMinute(100)];
    expect(await admittedOf(3, limiter, counters)).toBe(3);
    await system.node.kill();
    expect(await admittedOf(1, limiter, counters)).toBe(1);
    expect(await admittedOf(50, limiter, counters)).toBe(1);
    expect(await admittedOf(500, limiter, [perMinute(20)])).toBe(20);
    expect(states).toEqual([true]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('counts limits alone');

    await system.node.start();
    await until(limiter, false);
    expect(states).toEqual([true, false]);
    expect(lines).toHaveLength(2);
    expect(await limiter.take(counters)).toMatchObject({ admitted: false, refusedBy: 0 });
  });

  it('limits in Redis are counted here when Redis hangs, and together again when it goes on', async () => {
    const { lines, logger } = watching();
    const [limiter, other] = [await system.open({ logger }), await system.open()];
    const counter = perMinute(10);
    expect(await admittedOf(4, limiter, [counter])).toBe(4);
    system.node.pause();
    expect(await admittedOf(3, limiter, [counter])).toBe(3);
    await waitUntil('Redis to be away', () => limiter.away);
    expect(lines).toHaveLength(1);
    system.node.resume();
    await until(limiter, false);
    await until(other, false);
    // Seven were admitted. The one that timed out may count twice.
    expect(await limiter.take([counter])).toMatchObject({ admitted: true });
    const rest = await admittedOf(10, other, [counter]);
    expect([1, 2]).toContain(rest);
  });
});
