import { expect, it } from '@jest/globals';
import { isWhole, type Parts, withDeliveredPart, withPartIds } from './parts.policy.js';

const delivered = (ids: readonly string[], count: number | null = null) =>
  ids.reduce<Parts | undefined>((parts, id) => withDeliveredPart(parts, { id, count }), undefined)!;

it('a message has as many parts as the answer names, else a report, else it has segments', () => {
  expect(isWhole(delivered(['a', 'b']), 2)).toBe(true);
  expect(isWhole(delivered(['a', 'b']), 3)).toBe(false);
  expect(isWhole(delivered(['a', 'b'], 2), 3)).toBe(true);
  expect(isWhole(delivered(['a', 'b'], 3), 2)).toBe(false);
  expect(isWhole(withPartIds(delivered(['a', 'b'], 2), ['a', 'b', 'c'])!, 2)).toBe(false);
});

it('each part of a message is delivered once', () => {
  const one = delivered(['a']);
  expect(withDeliveredPart(one, { id: 'a', count: 2 })).toBe(one);
});

it('no parts are stored for a message of one part', () => {
  expect(withPartIds(undefined, ['a'])).toBeUndefined();
  expect(withPartIds(undefined)).toBeUndefined();
});
