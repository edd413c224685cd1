import { describe, expect, it } from '@jest/globals';
import { cursorAfter, ordinalOf } from './cursor.policy.js';

describe('a cursor', () => {
  it('comes back as the ordinal that it was made of', () => {
    expect(ordinalOf(cursorAfter(123_456))).toBe(123_456);
  });

  it('stands before everything when there is none', () => {
    expect(ordinalOf(undefined)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['', '%%%', 'ZW50cnk6', Buffer.from('entry:-1').toString('base64url'), 'MTIz'])(
    'is refused when it is not ours: %j',
    (text) => {
      expect(ordinalOf(text)).toBeNull();
    },
  );
});
