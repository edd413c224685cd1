import { describe, expect, it } from '@jest/globals';
import { countSeptets, encodeGsm7, isGsm7 } from './gsm7.js';

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

  it('encodes one code in each byte, with an escape before the extended ones', () => {
    const hex = (text: string) => Buffer.from(encodeGsm7(text)).toString('hex');
    expect(hex('Code € [1] é')).toBe('436f6465201b65201b3c311b3e2005');
    expect(hex('@Δ_ΞÆ É¡à\f|')).toBe('0010111a1c201f407f1b0a1b40');
    expect(encodeGsm7('')).toHaveLength(0);
    expect(() => encodeGsm7('ç')).toThrow(RangeError);
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const codes = all.filter(isGsm7).map((one) => hex(one));
    expect(new Set(codes).size).toBe(137);
    for (const one of all.filter(isGsm7)) expect(encodeGsm7(one)).toHaveLength(countSeptets(one));
  });
});
