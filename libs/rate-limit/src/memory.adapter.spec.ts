import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@watchword/contracts';
import { MemoryRateLimiter } from './memory.adapter.js';
import { describeRateLimitContract } from './rate-limit-contract.kit.js';

class SetClock implements Clock {
  current = 1_000_000;

  now(): number {
    return this.current;
  }
}

function setUp(countersMax?: number) {
  const clock = new SetClock();
  return { clock, limiter: new MemoryRateLimiter({ clock, countersMax }) };
}

describeRateLimitContract('in memory', async () => {
  const { clock, limiter } = setUp();
  return {
    limiter,
    advance: async (milliseconds) => {
      clock.current += milliseconds;
    },
  };
});

const perMinute = (key: string, limit = 1) => ({ key, limit, windowSeconds: 60 });

describe('the limiter in memory', () => {
  it('ends a window at its last millisecond, not one earlier', () => {
    const { clock, limiter } = setUp();
    limiter.take([perMinute('a')]);
    clock.current += 59_999;
    expect(limiter.take([perMinute('a')])).toEqual({
      admitted: false,
      refusedBy: 0,
      retryAfterSeconds: 1,
    });
    clock.current += 1;
    expect(limiter.take([perMinute('a')])).toEqual({ admitted: true, remaining: [0] });
  });

  it('8: returns exactly when the window ends, so that a caller who waits is admitted', () => {
    const { clock, limiter } = setUp();
    limiter.take([perMinute('a')]);
    for (const elapsedMs of [0, 1, 999, 1_000, 1_001, 30_500, 58_999, 59_000, 59_001]) {
      clock.current = 1_000_000 + elapsedMs;
      const verdict = limiter.take([perMinute('a')]);
      if (verdict.admitted) throw new Error('admitted within the window');
      expect(verdict.retryAfterSeconds).toBe(Math.ceil((60_000 - elapsedMs) / 1_000));
    }
    clock.current = 1_000_000 + 59_001 + 1_000;
    expect(limiter.take([perMinute('a')]).admitted).toBe(true);
  });

  it('locks nobody out when the clock is set back', () => {
    const { clock, limiter } = setUp();
    limiter.take([perMinute('a')]);
    clock.current -= 300_000;
    expect(limiter.take([perMinute('a')])).toMatchObject({ retryAfterSeconds: 60 });
    clock.current += 60_000;
    expect(limiter.take([perMinute('a')]).admitted).toBe(true);
  });

  it('forgets ended windows as new ones come', () => {
    const { clock, limiter } = setUp();
    for (let n = 0; n < 1_000; n += 1) limiter.take([perMinute(`old-${n}`)]);
    clock.current += 60_000;
    for (let n = 0; n < 1_000; n += 1) limiter.take([perMinute(`new-${n}`)]);
    expect(limiter.size).toBe(1_000);
    expect(limiter.dropped).toBe(0);
  });

  it('stays bounded under a flood of keys, and says what it dropped', () => {
    const { limiter } = setUp(100);
    for (let n = 0; n < 1_000; n += 1) limiter.take([perMinute(`key-${n}`)]);
    expect(limiter.size).toBe(100);
    expect(limiter.dropped).toBe(900);
    expect(limiter.take([perMinute('key-999')]).admitted).toBe(false);
    expect(limiter.take([perMinute('key-0')]).admitted).toBe(true);
  });
});
