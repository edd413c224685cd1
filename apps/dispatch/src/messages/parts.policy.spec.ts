import { describe, expect, it } from '@jest/globals';
import { isWhole, type Parts, withDeliveredPart, withPartIds } from './parts.policy.js';

const delivered = (ids: readonly string[], count: number | null = null) =>
  ids.reduce<Parts | undefined>((parts, id) => withDeliveredPart(parts, { id, count }), undefined)!;

describe('the parts of a message', () => {
  it('are as many as the answer names, else a report, else the message has segments', () => {
    expect(isWhole(delivered(['a', 'b']), 2)).toBe(true);
    expect(isWhole(delivered(['a', 'b']), 3)).toBe(false);
    expect(isWhole(delivered(['a', 'b'], 2), 3)).toBe(true);
    expect(isWhole(delivered(['a', 'b'], 3), 2)).toBe(false);
    expect(isWhole(withPartIds(delivered(['a', 'b'], 2), ['a', 'b', 'c'])!, 2)).toBe(false);
  });

  it('are delivered once each', () => {
    const one = delivered(['a']);
    expect(withDeliveredPart(one, { id: 'a', count: 2 })).toBe(one);
  });

  it('are not kept where the answer names one', () => {
    expect(withPartIds(undefined, ['a'])).toBeUndefined();
    expect(withPartIds(undefined)).toBeUndefined();
  });
});
