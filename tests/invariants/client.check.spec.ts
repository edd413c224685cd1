import { describe, expect, it } from '@jest/globals';
import { mostInAWindow } from './client.check.ts';

describe('the most in a window', () => {
  const minute = 60_000;
  /** Each counted within a second before its record. */
  const most = (...records: number[]) =>
    mostInAWindow(
      records.map((until) => ({ from: until - 1_000, until })),
      minute,
    );

  it('counts from the first on, to the end of its window', () => {
    expect(most(0, 1_000, 58_000, 62_000)).toBe(3);
    expect(most()).toBe(0);
  });

  it('takes what lies at the border for either window', () => {
    expect(most(0, 1, 59_500, 60_500, 60_900, 62_000)).toBe(2);
  });

  it('does not blame a window for what came after an unseen beginning', () => {
    // The second window may have begun at 60 s and ended at 120 s.
    expect(most(0, 60_000, 110_000, 121_500, 122_000)).toBe(1);
  });
});
