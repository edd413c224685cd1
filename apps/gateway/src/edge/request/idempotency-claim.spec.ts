import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, readClaim } from './idempotency-claim.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

describe('canonicalJson', () => {
  it('distinguishes different values, and is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(read))).toEqual(read);
      }),
    );
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});

describe('readClaim', () => {
  it('is null without a key, and the same for bodies that mean the same', () => {
    expect(readClaim(undefined, 's', {})).toBeNull();
    const first = readClaim('k', 's', { a: 1, b: 2 });
    expect(first).toEqual({ scope: 's', key: 'k', fingerprint: expect.stringMatching(/^\w{64}$/) });
    expect(readClaim('k', 's', { b: 2, a: 1 })).toEqual(first);
  });
});
