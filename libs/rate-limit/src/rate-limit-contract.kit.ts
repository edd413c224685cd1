import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Counter, RateLimiter, Verdict } from './rate-limit.port.js';

export interface RateLimiterUnderTest {
  limiter: RateLimiter;
  /** Lets time pass, by a fake clock or by waiting. */
  advance(milliseconds: number): Promise<void>;
}

/** A minute: no test takes as long. */
function counter(limit: number | null, more: Partial<Counter> = {}): Counter {
  return { key: `test:${randomUUID()}`, limit, windowSeconds: 60, ...more };
}

/** Four seconds: short enough to be waited for where the clock is a real one, with room for a slow machine. */
function shortCounter(limit: number): Counter {
  return counter(limit, { windowSeconds: 4 });
}

/** Tests of the promises in `rate-limit.port.ts`. Every adapter must pass them. */
export function describeRateLimitContract(
  name: string,
  start: () => Promise<RateLimiterUnderTest>,
): void {
  describe(`the rate limit contract: ${name}`, () => {
    let limiter: RateLimiter;
    let advance: RateLimiterUnderTest['advance'];

    beforeEach(async () => {
      ({ limiter, advance } = await start());
    });

    afterEach(async () => {
      await limiter.close();
    });

    async function takeTimes(times: number, counters: Counter[]): Promise<Verdict> {
      let last: Verdict = { admitted: true, remaining: [] };
      for (let taken = 0; taken < times; taken += 1) last = await limiter.take(counters);
      return last;
    }

    it.each([1, 2, 5, 30])('admits exactly %i', async (limit) => {
      const one = counter(limit);
      for (let n = 1; n <= limit; n += 1) {
        expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [limit - n] });
      }
      for (let extra = 0; extra < 3; extra += 1) {
        expect(await limiter.take([one])).toMatchObject({ admitted: false, refusedBy: 0 });
      }
    });

    it('admits nothing at a limit of zero', async () => {
      const verdict = await limiter.take([counter(0)]);
      expect(verdict).toEqual({ admitted: false, refusedBy: 0, retryAfterSeconds: 60 });
    });

    it('has no limit where the limit is null', async () => {
      const free = counter(null);
      expect(await takeTimes(50, [free])).toEqual({ admitted: true, remaining: [null] });
      expect(await limiter.take([{ ...free, limit: 1 }])).toMatchObject({ admitted: true });
    });

    it('keeps keys apart', async () => {
      const [one, other] = [counter(1), counter(1)];
      await limiter.take([one]);
      expect(await limiter.take([one])).toMatchObject({ admitted: false });
      expect(await limiter.take([other])).toMatchObject({ admitted: true });
    });

    it('answers what remains of each counter, in order', async () => {
      const counters = [counter(5), counter(null), counter(2)];
      expect(await limiter.take(counters)).toEqual({ admitted: true, remaining: [4, null, 1] });
    });

    it('has fixed windows that begin with their first request', async () => {
      const one = shortCounter(2);
      await limiter.take([one]);
      await advance(2_000);
      await limiter.take([one]);
      await advance(1_000);
      expect(await limiter.take([one])).toMatchObject({ admitted: false });
      await advance(1_100);
      // The first window has ended. The second request did not carry over into this one.
      expect(await takeTimes(2, [one])).toEqual({ admitted: true, remaining: [0] });
      expect(await limiter.take([one])).toMatchObject({ admitted: false });
    });

    it('tells when to come back, to the second and never less than one', async () => {
      const one = shortCounter(1);
      await limiter.take([one]);
      expect(await limiter.take([one])).toMatchObject({ retryAfterSeconds: 4 });
      await advance(3_200);
      expect(await limiter.take([one])).toMatchObject({ retryAfterSeconds: 1 });
      await advance(1_000);
      expect(await limiter.take([one])).toMatchObject({ admitted: true });
    });

    it('does not make a window longer by refusing', async () => {
      const one = shortCounter(1);
      await limiter.take([one]);
      await advance(1_000);
      await takeTimes(20, [one]);
      await advance(3_100);
      expect(await limiter.take([one])).toMatchObject({ admitted: true });
    });

    it('counts on the counters before the one that refuses, and on none after it', async () => {
      const [before, full, after] = [counter(10), counter(1), counter(10)];
      await limiter.take([full]);
      const verdict = await limiter.take([before, full, after]);
      expect(verdict).toMatchObject({ admitted: false, refusedBy: 1 });
      expect(await limiter.take([before])).toEqual({ admitted: true, remaining: [8] });
      expect(await limiter.take([after])).toEqual({ admitted: true, remaining: [9] });
    });

    it('counts nothing on the counter that refuses', async () => {
      const one = counter(1);
      await limiter.take([one]);
      expect(await limiter.take([one])).toMatchObject({ admitted: false });
      expect(await limiter.take([{ ...one, limit: 2 }])).toEqual({
        admitted: true,
        remaining: [0],
      });
    });

    it('takes a key that stands twice as two', async () => {
      const one = counter(3);
      expect(await limiter.take([one, one])).toEqual({ admitted: true, remaining: [2, 1] });
      expect(await limiter.take([one, one])).toMatchObject({ admitted: false, refusedBy: 1 });
    });

    it('gives back what was taken, and not more', async () => {
      const counters = [counter(2), counter(null), counter(3)];
      await limiter.take(counters);
      await limiter.giveBack(counters);
      expect(await limiter.take(counters)).toEqual({ admitted: true, remaining: [1, null, 2] });
      await limiter.giveBack(counters);
      await limiter.giveBack(counters);
      expect(await limiter.take(counters)).toEqual({ admitted: true, remaining: [1, null, 2] });
    });

    it('gives back to the window that counted', async () => {
      const [first, again] = [counter(2), counter(2)];
      await limiter.take([first, again]);
      await advance(900);
      await limiter.giveBack([again]);
      expect(await limiter.take([{ ...again }])).toEqual({ admitted: true, remaining: [1] });
      await advance(1_200);
      await limiter.take([{ ...first }]);
      await limiter.giveBack([first]);
      expect(await limiter.take([{ ...first }])).toEqual({ admitted: true, remaining: [0] });
    });

    it('gives nothing back to a key that has no window', async () => {
      const one = counter(1);
      await limiter.giveBack([one]);
      expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [0] });
      expect(await limiter.take([one])).toMatchObject({ admitted: false });
    });

    it('follows a limit that changes within a window', async () => {
      const one = counter(2);
      await takeTimes(2, [one]);
      expect(await limiter.take([{ ...one, limit: 3 }])).toEqual({
        admitted: true,
        remaining: [0],
      });
      expect(await limiter.take([{ ...one, limit: 1 }])).toMatchObject({ admitted: false });
    });

    it('admits exactly the limit of 500 parallel requests', async () => {
      const [first, second] = [counter(300), counter(200)];
      const verdicts = await Promise.all(
        Array.from({ length: 500 }, () => limiter.take([first, second])),
      );
      expect(verdicts.filter((verdict) => verdict.admitted)).toHaveLength(200);
      const refused = verdicts.filter((verdict) => !verdict.admitted);
      expect(refused.filter((verdict) => verdict.refusedBy === 1)).toHaveLength(100);
      expect(refused.filter((verdict) => verdict.refusedBy === 0)).toHaveLength(200);
    });

    /** One token per 200 ms, at most five. */
    const bucket = (more: Partial<Counter> = {}) =>
      counter(5, { kind: 'bucket', windowSeconds: 1, ...more });

    it('admits the burst from a bucket, then refuses, and says when to come back', async () => {
      const one = bucket({ windowSeconds: 10 });
      for (let left = 4; left >= 0; left -= 1) {
        expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [left] });
      }
      const refusal = { admitted: false, refusedBy: 0, retryAfterSeconds: 2 };
      expect(await limiter.take([one])).toEqual(refusal);
      expect(await limiter.take([one])).toEqual(refusal);
    });

    it('gives tokens of a bucket back one by one', async () => {
      const one = bucket({ windowSeconds: 10 });
      await takeTimes(5, [one]);
      await advance(2_500);
      expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [0] });
      expect(await limiter.take([one])).toMatchObject({ admitted: false, retryAfterSeconds: 2 });
    });

    it('fills a bucket, and never with more than it holds', async () => {
      const one = bucket();
      await takeTimes(5, [one]);
      await advance(2_500);
      expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [4] });
    });

    it('admits nothing from a bucket of nought', async () => {
      expect(await limiter.take([bucket({ limit: 0 })])).toMatchObject({ admitted: false });
    });

    it('takes no token when a counter before the bucket refuses', async () => {
      const [full, one] = [counter(0), bucket({ windowSeconds: 60 })];
      expect(await limiter.take([full, one])).toMatchObject({ refusedBy: 0 });
      expect(await limiter.take([one])).toEqual({ admitted: true, remaining: [4] });
    });

    it('admits exactly the burst of 500 parallel requests', async () => {
      const one = bucket({ limit: 20, windowSeconds: 600 });
      const verdicts = await Promise.all(Array.from({ length: 500 }, () => limiter.take([one])));
      expect(verdicts.filter((verdict) => verdict.admitted)).toHaveLength(20);
    });
  });
}
