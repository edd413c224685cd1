import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody as parseBytes } from './json-body.policy.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const parseJsonBody = (text: string) => parseBytes(Buffer.from(text), 10_000);

const isBeyond = (value: unknown) =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

describe('parseJsonBody', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value, (_, inner) => (isBeyond(inner) ? 0 : inner));
        if (/\\u0000|\\ud[89a-f]|__proto__/i.test(text)) return;
        expect(parseJsonBody(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes 32 levels and not 33', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseJsonBody(nested(32))).not.toThrow();
    expect(() => parseJsonBody(nested(33))).toThrow('nested deeper');
    expect(() => parseJsonBody(`[${'[],'.repeat(100)}[]]`)).not.toThrow();
  });

  it.each([
    '12345678901234567890',
    '-9007199254740992',
    '9007199254740993',
    '0.12345678901234567',
    '1234567890.12345678',
    '1e16',
    '1e400',
    '-1e400',
    '1e-400',
    '9'.repeat(400),
    `0.${'0'.repeat(400)}1`,
  ])('refuses a number that a double does not keep, here %s', (number) => {
    expect(() => parseJsonBody(number)).toThrow('The body is a number with more digits');
    const text = `{"a":[{"b\\"":1},{"to":"9","variables":{"x":[0,"]",${number}],"y":1}}]}`;
    expect(() => parseJsonBody(text)).toThrow(
      'a.1.variables.x.2 is a number with more digits than JSON clients keep: send it as a string.',
    );
  });

  it('decisions 27: the parser takes every number that a double keeps, and digits in a text', () => {
    const kept =
      '[9007199254740991,-9007199254740991,1.10,0.30000000000000004,1.5e3,2E+5,1e-7,5e-324,0e9,-0]';
    const text = `{"a":${kept},"b":"${'9'.repeat(400)}","c":"1e400"}`;
    expect(parseJsonBody(text)).toEqual(JSON.parse(text));
  });

  it('takes a backslash that only looks like an escape', () => {
    expect(parseJsonBody('{"a":"\\\\u0000"}')).toEqual({ a: '\\u0000' });
  });
});
