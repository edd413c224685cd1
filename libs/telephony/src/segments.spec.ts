import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import vectors from '../fixtures/encoding-vectors.json' with { type: 'json' };
import { countSeptets } from './gsm7.js';
import { measureSegments } from './segments.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

describe('measureSegments', () => {
  it.each(vectors)('measures $label', ({ text, encoding, units, segments, parts }) => {
    expect(measureSegments(text)).toEqual({ encoding, units, segments, parts });
  });
});

/** Counts the parts by placing one character after the other. */
function dealOut(text: string): number[] {
  const isGsm = countSeptets(text) >= 0;
  const [single, part] = isGsm ? [160, 153] : [70, 67];
  const costs = Array.from(text).map((one) => (isGsm ? countSeptets(one) : one.length));
  const units = costs.reduce((sum, cost) => sum + cost, 0);
  if (units <= single) return units === 0 ? [] : [units];
  const parts = [0];
  for (const cost of costs) {
    if (parts.at(-1)! + cost > part) parts.push(0);
    parts[parts.length - 1]! += cost;
  }
  return parts;
}

describe('the parts', () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '€', '[', '\n'), maxLength: 700 }),
    fc.string({ unit: fc.constantFrom('a', '中', '😀', '€', '\ud83d'), maxLength: 400 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );

  it('hold whole characters, escape and surrogate pairs included, and lose none', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { parts, units, segments } = measureSegments(text);
        expect(parts).toEqual(dealOut(text));
        expect(parts).toHaveLength(segments);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(units);
      }),
    );
  });
});
