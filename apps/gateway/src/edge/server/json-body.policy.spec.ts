import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody as parseBytes } from './json-body.policy.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const parseJsonBody = (text: string) => parseBytes(Buffer.from(text), 10_000);

describe('parseJsonBody', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
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

  it.each(['1e400', '-1e400', '1.5E+309', '9'.repeat(309), `${'9'.repeat(305)}e9`])(
    'refuses a number beyond what it could bring back, here %s',
    (number) => {
      expect(() => parseJsonBody(number)).toThrow('too large');
      const text = `{"metadata":{"list":[1,{"deep":${number}}]}}`;
      expect(() => parseJsonBody(text)).toThrow('metadata contains a number that is too large');
    },
  );

  it('takes large numbers, and digits in a text', () => {
    const text = `{"a":1.7e308,"b":-2E+5,"c":1e-400,"d":"${'9'.repeat(400)}","e":"1e400"}`;
    expect(parseJsonBody(text)).toEqual(JSON.parse(text));
  });

  it('takes a backslash that only looks like an escape', () => {
    expect(parseJsonBody('{"a":"\\\\u0000"}')).toEqual({ a: '\\u0000' });
  });
});
