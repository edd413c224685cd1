import { describe, expect, it } from '@jest/globals';
import { KeyRing, keyIdOf } from './key-ring.js';

const [old, young] = ['0f'.repeat(32), '1e'.repeat(32)];
const ring = new KeyRing([old], 'spec');

describe('a key ring', () => {
  it('opens what it sealed, and never seals alike', () => {
    const sealed = Array.from({ length: 600 }, () => ring.seal('0042', 'row'));
    expect(new Set(sealed.map((one) => one.toString('hex'))).size).toBe(600);
    for (const one of sealed) expect(ring.open(one, 'row')).toBe('0042');
  });

  it('refuses another row, purpose or key, and each changed part', () => {
    const sealed = ring.seal('secret', 'row');
    expect(() => ring.open(sealed, 'other')).toThrow();
    expect(() => new KeyRing([old], 'other').open(sealed, 'row')).toThrow();
    expect(() => new KeyRing([young], 'spec').open(sealed, 'row')).toThrow();
    for (const position of [0, 1, 6, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[position]! ^= 1;
      expect(() => ring.open(changed, 'row')).toThrow();
    }
  });

  it('decisions 24: names the key in the value: the first key writes, all of them read', () => {
    const sealed = ring.seal('secret', 'row');
    expect(sealed.subarray(1, 5).toString('hex')).toBe(keyIdOf(old));
    const both = new KeyRing([young, old], 'spec');
    expect(both.open(sealed, 'row')).toBe('secret');
    expect(both.isCurrent(sealed)).toBe(false);
    expect(both.isCurrent(both.seal('secret', 'row'))).toBe(true);
    expect(both.seal('secret', 'row').subarray(1, 5).toString('hex')).toBe(keyIdOf(young));
  });
});
