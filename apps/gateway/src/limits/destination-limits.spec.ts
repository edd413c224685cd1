import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@watchword/contracts';
import { MemoryRateLimiter } from '@watchword/rate-limit';
import { FakeClock } from '@watchword/testing';
import { DestinationLimits } from './destination-limits.js';

const NUMBER = { key: 'otp-number', limit: 3, windowSeconds: 600 };
const PREFIX = { key: 'otp-prefix', limit: 4, windowSeconds: 3_600 };

function ground() {
  const limiter = new MemoryRateLimiter({ clock: new FakeClock() });
  const limits = new DestinationLimits(limiter);
  const counted = ({ key } = NUMBER) => limiter.peek(key)?.count;
  return { counted, take: () => limits.take([{ ...NUMBER }, { ...PREFIX }], 'rate_limited') };
}

describe('DestinationLimits', () => {
  it('refuses at once where all places count', async () => {
    const { take } = ground();
    for (let sends = 0; sends < 3; sends += 1) await (await take()).decide(true);
    await expect(take()).rejects.toMatchObject({ type: 'rate_limited', retryAfterSeconds: 600 });
  });

  it('gives the place of a replay to the request that waited for it', async () => {
    const { take, counted } = ground();
    for (let sends = 0; sends < 2; sends += 1) await (await take()).decide(true);
    const replay = await take();
    const fresh = take();
    await replay.decide(false);
    await (await fresh).decide(true);
    expect(counted()).toBe(3);
    expect(counted(PREFIX)).toBe(3);
  });

  it('admits one request for each place that is given back, and no more', async () => {
    const { take, counted } = ground();
    const open = await Promise.all([take(), take(), take()]);
    const attempts = Array.from({ length: 5 }, async () => (await take()).decide(true));
    for (const [index, places] of open.entries()) await places.decide(index === 0);
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toBeInstanceOf(ApiError);
    expect(counted()).toBe(3);
  });
});
