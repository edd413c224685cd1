import { describe, expect, it } from '@jest/globals';
import { ClockOffset } from './clock-offset.js';

/** A greeting with a slow answer on the way back only, which cannot be measured. */
function greeted(askedAt: number, tookMs: number, aheadMs: number) {
  return { askedAt, answeredAt: askedAt + tookMs, theirTime: askedAt + aheadMs };
}

describe('the offset of another clock', () => {
  it('is that of the quickest greeting', () => {
    const offset = new ClockOffset();
    offset.learn(greeted(0, 100, 5_000));
    expect(offset.ms).toBe(4_950);
    offset.learn(greeted(1_000, 2, 5_000));
    offset.learn(greeted(2_000, 400, 5_000));
    expect(offset.ms).toBe(4_999);
  });

  it('is learnt anew from a slower one after some minutes', () => {
    const offset = new ClockOffset();
    offset.learn(greeted(0, 2, 5_000));
    offset.learn(greeted(60_000, 40, 5_100));
    expect(offset.ms).toBe(4_999);
    offset.learn(greeted(300_000, 40, 5_100));
    expect(offset.ms).toBe(5_080);
  });

  it('is that of the next greeting, however slow, when another process may be there', () => {
    const offset = new ClockOffset();
    offset.learn(greeted(0, 2, 5_000));
    offset.forget();
    offset.learn(greeted(1_000, 400, 70_000));
    expect(offset.ms).toBe(69_800);
  });
});
