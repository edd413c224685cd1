import { expect, it } from '@jest/globals';
import { waitUntil } from '@watchword/testing';
import { admittedOf, perMinute, system, until, useRedis, watching } from './redis-system.kit.js';

useRedis();

it('limits in Redis are shared by all gateways', async () => {
  const [one, other] = [await system.open(), await system.open()];
  const counter = perMinute(7);
  const verdicts = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).take([counter])),
  );
  expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(7);
});

it('limits in Redis are counted in memory while Redis is down, and together again when it is back', async () => {
  const { lines, states, logger, onAvailable } = watching();
  const limiter = await system.open({ logger, onAvailable });
  const counters = [perMinute(5), perMinute(100)];
  expect(await admittedOf(3, limiter, counters)).toBe(3);
  await system.node.kill();
  await until(limiter, false);
  expect(await admittedOf(50, limiter, counters)).toBe(5);
  expect(await admittedOf(500, limiter, [perMinute(20)])).toBe(20);
  expect(states).toEqual([false]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('counting limits in memory');

  await system.node.start();
  await until(limiter, true);
  expect(states).toEqual([false, true]);
  expect(lines).toHaveLength(2);
  expect(await limiter.take([perMinute(1)])).toEqual({ admitted: true, remaining: [0] });
});

it('limits in Redis are counted in memory while Redis hangs, and together again when it answers', async () => {
  const limiter = await system.open();
  const counter = perMinute(10);
  expect(await admittedOf(4, limiter, [counter])).toBe(4);
  system.node.pause();
  expect(await admittedOf(20, limiter, [counter])).toBe(10);
  expect(limiter.available).toBe(false);
  system.node.resume();
  await waitUntil('Redis to be used again', async () => {
    await limiter.take([perMinute(1)]);
    return limiter.available;
  });
  // Redis may have counted the request that timed out.
  const rest = await admittedOf(10, limiter, [counter]);
  expect([5, 6]).toContain(rest);
});

it('limits in Redis cost one call to Redis for all counters of a request', async () => {
  const limiter = await system.open();
  const redis = await system.connected();
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
