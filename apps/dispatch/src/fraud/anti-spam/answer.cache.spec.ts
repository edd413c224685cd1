import { describe, expect, it } from '@jest/globals';
import { AnswerCache } from './answer.cache.js';

describe('the cache of answers', () => {
  it('keeps one for an hour', () => {
    const cache = new AnswerCache<string>();
    cache.set('a', 'yes', 0);
    expect(cache.get('a', 3_599_999)).toBe('yes');
    expect(cache.get('a', 3_600_000)).toBeUndefined();
  });

  it('forgets the least recently used of more than ten thousand', () => {
    const cache = new AnswerCache<number>();
    for (let index = 0; index < 10_000; index += 1) cache.set(String(index), index, 0);
    cache.get('0', 1);
    cache.set('one more', 1, 1);
    expect(cache.get('0', 2)).toBe(0);
    expect(cache.get('1', 2)).toBeUndefined();
  });
});
