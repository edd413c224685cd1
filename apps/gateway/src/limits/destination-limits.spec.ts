import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@watchword/contracts';
import { type Counter, MemoryRateLimiter } from '@watchword/rate-limit';
import { FakeClock } from '@watchword/testing';
import { DestinationLimits } from './destination-limits.js';

const NUMBER = { key: 'otp-number', limit: 3, windowSeconds: 600 };
const PREFIX = { key: 'otp-prefix', limit: 4, windowSeconds: 3_600 };

function ground() {
  const limiter = new MemoryRateLimiter({ clock: new FakeClock() });
  const limits = new DestinationLimits(limiter);
  const counted = ({ key } = NUMBER) => limiter.peek(key)?.count;
  const take = (number = NUMBER) => limits.take([{ ...number }, { ...PREFIX }], 'rate_limited');
  const send = async (number = NUMBER) => (await take(number)).decide(true);
  return { limits, counted, take, send };
}

/** A limiter of which another gateway takes each place that is given back. */
class ContestedLimiter extends MemoryRateLimiter {
  override async giveBack(counters: readonly Counter[]): Promise<void> {
    await super.giveBack(counters);
    await this.take(counters);
  }
}

const isRefused = { type: 'rate_limited' };

describe('DestinationLimits', () => {
  it('refuses at once where all places count', async () => {
    const { take, send } = ground();
    for (let sends = 0; sends < 3; sends += 1) await send();
    await expect(take()).rejects.toMatchObject({ ...isRefused, retryAfterSeconds: 600 });
  });

  it('gives the place of a replay to the request that waited for it', async () => {
    const { take, send, counted } = ground();
    for (let sends = 0; sends < 2; sends += 1) await send();
    const replay = await take();
    const fresh = send();
    await replay.decide(false);
    await fresh;
    expect([counted(), counted(PREFIX)]).toEqual([3, 3]);
  });

  it('admits one request for each place that is returned, and no more', async () => {
    const { take, send, counted } = ground();
    const open = await Promise.all([take(), take(), take()]);
    const attempts = Array.from({ length: 5 }, () => send());
    for (const [index, places] of open.entries()) await places.decide(index === 0);
    const settled = await Promise.allSettled(attempts);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toBeInstanceOf(ApiError);
    expect(counted()).toBe(3);
  });

  it('lets any number of replays through beside one free place', async () => {
    const { take, send, counted } = ground();
    for (let sends = 0; sends < 2; sends += 1) await send();
    const replays = Array.from({ length: 16 }, async () => (await take()).decide(false));
    await Promise.all(replays);
    await send();
    expect(counted()).toBe(3);
  });

  it('lets no more than 16 wait', async () => {
    const { take } = ground();
    const open = await Promise.all([take(), take(), take()]);
    const waiting = Array.from({ length: 16 }, () => take());
    await expect(take()).rejects.toMatchObject(isRefused);
    for (const places of open) await places.decide(true);
    const settled = await Promise.allSettled(waiting);
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('keeps no place at the counters before the one that refuses', async () => {
    const { take, send, counted } = ground();
    for (let sends = 0; sends < 4; sends += 1) await send({ ...NUMBER, key: `other-${sends}` });
    await expect(take()).rejects.toMatchObject({ ...isRefused, retryAfterSeconds: 3_600 });
    expect(counted()).toBe(0);
  });

  it('refuses all that wait when another gateway takes the place that was returned', async () => {
    const limiter = new ContestedLimiter({ clock: new FakeClock() });
    const limits = new DestinationLimits(limiter);
    const take = () => limits.take([{ ...NUMBER, limit: 1 }], 'rate_limited');
    const open = await take();
    const waiting = [take(), take(), take()];
    const settled = Promise.allSettled(waiting);
    await open.decide(false);
    for (const { status } of await settled) expect(status).toBe('rejected');
  });

  it('asks whether counters are waived before one of them refuses', async () => {
    const { limits, counted } = ground();
    const shared = { key: 'shared', limit: 0, windowSeconds: 60 };
    let isWaived = false;
    const waivable = { counters: [shared], isWaived: async () => isWaived };
    const take = () => limits.take([{ ...NUMBER }], 'rate_limited', waivable);
    await expect(take()).rejects.toMatchObject(isRefused);
    expect(counted()).toBe(0);
    isWaived = true;
    await (await take()).decide(true);
    expect(counted()).toBe(1);
    const barred = { ...NUMBER, key: 'barred', limit: 0 };
    await expect(limits.take([barred], 'rate_limited', waivable)).rejects.toMatchObject(isRefused);
  });

  it('passes an invitation on that another counter refuses', async () => {
    const { limits, take } = ground();
    const open = await Promise.all([take(), take(), take()]);
    const full = { ...PREFIX, key: 'full', limit: 0 };
    const barred = limits.take([{ ...NUMBER }, full], 'rate_limited');
    const next = limits.take([{ ...NUMBER }], 'rate_limited');
    await open[0].decide(false);
    await expect(barred).rejects.toMatchObject(isRefused);
    await (await next).decide(true);
  });
});
