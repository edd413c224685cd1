import { describe, expect, it } from '@jest/globals';
import { OnceAMinute } from './once-a-minute.js';

describe('OnceAMinute', () => {
  it('lets a line through once a minute, each by its key', () => {
    let nowMs = 0;
    const lines = new OnceAMinute({ now: () => nowMs });
    expect(['a', 'a', 'b'].map((key) => lines.isDue(key))).toEqual([true, false, true]);
    nowMs = 59_999;
    expect(lines.isDue('a')).toBe(false);
    nowMs = 60_000;
    expect(['a', 'a', 'b'].map((key) => lines.isDue(key))).toEqual([true, false, true]);
  });
});
