import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from './json-body.policy.js';

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

  it('takes a backslash that only looks like an escape', () => {
    expect(parseJsonBody('{"a":"\\\\u0000"}')).toEqual({ a: '\\u0000' });
  });
});
