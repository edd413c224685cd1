import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lookAtJson } from './json-bounds.policy.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const LIMITS = { valuesMax: 10_000, depthMax: 32 };

const look = (text: string, limits: Partial<typeof LIMITS> = {}) =>
  lookAtJson(Buffer.from(text), { ...LIMITS, ...limits });

/** Counts every object, array and scalar; names do not count. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', 'a', ',', '{', ']'), maxLength: 300 }),
);
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}));

describe('lookAtJson', () => {
  it('counts the values and the depth exactly, with and without blanks', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, blanks) => {
        const written = JSON.stringify(value, null, blanks);
        const values = valuesIn(value);
        const depth = depthOf(value);
        expect(look(written, { valuesMax: values, depthMax: depth }).exceeded).toBeUndefined();
        expect(look(written, { valuesMax: values - 1 }).exceeded).toBe('values');
        const shallower = look(written, { depthMax: depth - 1 }).exceeded;
        if (depth > 0) expect(shallower).toBe('depth');
      }),
      { numRuns: 500 },
    );
  });

  it('names the member that exceeds a bound', () => {
    const nested = `${'['.repeat(40)}${']'.repeat(40)}`;
    expect(look(`{"a":["x","y"],"b c":${nested}}`)).toMatchObject({
      exceeded: 'depth',
      field: 'b c',
    });
    expect(look(`["a",${nested}]`).field).toBeUndefined();
    expect(look(`{"a":1,"list":[${'1,'.repeat(10_000)}1]}`)).toMatchObject({
      exceeded: 'values',
      field: 'list',
    });
  });

  it.each(['1e400', '[2,1.5e+3]', '9'.repeat(16), '123456789.1234567'])(
    'sees that a double may not hold %s',
    (number) => expect(look(number).mayLoseDigits).toBe(true),
  );

  it.each([
    '"1e400"',
    `"${'9'.repeat(400)}"`,
    '[true,false,null]',
    '9'.repeat(15),
    '[12345678,12345678]',
  ])('sees that a double holds %s', (number) => expect(look(number).mayLoseDigits).toBe(false));
});
