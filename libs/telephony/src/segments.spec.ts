import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import vectors from '../fixtures/encoding-vectors.json' with { type: 'json' };
import { measureSegments, splitIntoParts } from './segments.js';

describe('measureSegments', () => {
  it.each(vectors)('measures $label', ({ text, encoding, units, segments, parts }) => {
    expect(measureSegments(text)).toEqual({ encoding, units, segments, parts });
  });
});

describe('splitIntoParts', () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '€', '[', '\n'), maxLength: 700 }),
    fc.string({ unit: fc.constantFrom('a', '中', '😀', '€', '\ud83d'), maxLength: 400 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );

  it('loses nothing and agrees with the measure', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const measure = measureSegments(text);
        const parts = splitIntoParts(text);
        expect(parts.join('')).toBe(text);
        expect(parts).toHaveLength(measure.segments);
        expect(measure.parts.reduce((sum, units) => sum + units, 0)).toBe(measure.units);
        // A part of a UCS-2 text may by itself fit GSM-7; force the encoding of the whole.
        const unitsOf = (part: string) =>
          measure.encoding === 'GSM-7' ? measureSegments(part).units : part.length;
        expect(parts.map(unitsOf)).toEqual(measure.parts);
      }),
    );
  });

  it('never exceeds the room of a part, wastes at most one unit and splits no pair', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { encoding, segments, parts } = measureSegments(text);
        const room = encoding === 'GSM-7' ? { single: 160, part: 153 } : { single: 70, part: 67 };
        expect(Math.max(0, ...parts)).toBeLessThanOrEqual(segments > 1 ? room.part : room.single);
        const full = segments > 1 ? parts.slice(0, -1) : [];
        expect(Math.min(room.part, ...full)).toBeGreaterThanOrEqual(room.part - 1);
        const pieces = splitIntoParts(text);
        const splitPairs = pieces.filter(
          (part, index) =>
            /[\ud800-\udbff]$/.test(part) && /^[\udc00-\udfff]/.test(pieces[index + 1] ?? ''),
        );
        expect(splitPairs).toEqual([]);
      }),
    );
  });
});
