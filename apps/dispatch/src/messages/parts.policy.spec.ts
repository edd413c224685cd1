import { describe, expect, it } from '@jest/globals';
import { isWhole, type Parts, withDeliveredPart, withPartIds } from './parts.policy.js';

const delivered = (...ids: string[]) =>
  ids.reduce<Parts | undefined>((parts, id) => withDeliveredPart(parts, id), undefined)!;

describe('the parts of a message', () => {
  it('are as many as the answer names, else the report, else the message has segments', () => {
    const two = delivered('a', 'b');
    expect(isWhole(two, null, 2)).toBe(true);
    expect(isWhole(two, null, 3)).toBe(false);
    expect(isWhole(two, 2, 3)).toBe(true);
    expect(isWhole(withPartIds(two, ['a', 'b', 'c'])!, 2, 2)).toBe(false);
  });

  it('are delivered once each', () => {
    const one = delivered('a');
    expect(withDeliveredPart(one, 'a')).toBe(one);
  });

  it('are not kept where the answer names one', () => {
    expect(withPartIds(undefined, ['a'])).toBeUndefined();
    expect(withPartIds(undefined)).toBeUndefined();
  });
});
