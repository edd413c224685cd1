import { describe, expect, it } from '@jest/globals';
import { countSeptets, isGsm7 } from './gsm7.js';

describe('GSM-7', () => {
  it('has capital but not small ç, and neither ESC, tab nor backtick', () => {
    expect(['Ç', 'ç', '\x1b', '\t', '`', '\u00a0', '\u2126', '₦'].map(isGsm7)).toEqual([
      true,
      ...Array.from({ length: 7 }, () => false),
    ]);
  });

  it('counts two septets for the extension table', () => {
    expect(countSeptets('^{}\\[~]|€\f')).toBe(20);
    expect(countSeptets('')).toBe(0);
    expect(countSeptets('a中')).toBe(-1);
  });

  it('has 127 base characters and 10 extended ones', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    expect(characters.filter((character) => countSeptets(character) === 1)).toHaveLength(127);
    expect(characters.filter((character) => countSeptets(character) === 2)).toHaveLength(10);
  });
});
