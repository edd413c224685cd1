import { describe, expect, it } from '@jest/globals';
import { OnceAMinute } from './once-a-minute.js';

describe('OnceAMinute', () => {
  it('lets a fact through once a minute, and each fact by itself', () => {
    let nowMs = 0;
    const log = new OnceAMinute({ now: () => nowMs });
    expect(['a', 'a', 'b'].map((fact) => log.isNews(fact))).toEqual([true, false, true]);
    nowMs = 59_999;
    expect(log.isNews('a')).toBe(false);
    nowMs = 60_000;
    expect(['a', 'a', 'b'].map((fact) => log.isNews(fact))).toEqual([true, false, true]);
  });
});
