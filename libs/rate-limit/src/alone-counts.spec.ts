import { beforeEach, describe, expect, it } from '@jest/globals';
import { AloneCounts } from './alone-counts.js';

const ended = new Set<string>();
const counterOf = (key: string) => ({ key, limit: 10, windowSeconds: 60, strict: true });

function counting(counts: AloneCounts, keys: readonly string[]): void {
  for (const key of keys) {
    counts.sweepFor(1);
    counts.begin(counterOf(key), 4);
    counts.add(key, 1);
  }
}

describe('what a gateway has counted alone', () => {
  let counts: AloneCounts;

  beforeEach(() => {
    ended.clear();
    counts = new AloneCounts({ isEnded: (key) => ended.has(key), max: 3 });
    counting(counts, ['one', 'two', 'three']);
  });

  it('takes no more than there is room for', () => {
    counting(counts, ['four']);
    expect([...counts.strict()]).toHaveLength(3);
    expect(counts.has('four')).toBe(false);
  });

  it('frees windows that have ended, also of keys that are never used again', () => {
    for (const key of ['one', 'two', 'three']) ended.add(key);
    // The first ones may find the sweep at its end.
    counting(counts, ['four', 'four', 'five', 'six']);
    expect(['four', 'five', 'six'].map((key) => counts.of(key))).toEqual([
      expect.any(Number),
      1,
      1,
    ]);
    // Half of the rest belongs to the other gateway: 4 that all know, and 3 of 6.
    expect(counts.shareOf(counterOf('six'), 2)).toBe(7);
  });

  it('keeps what belongs to windows that go on', () => {
    ended.add('two');
    counts.dropEnded();
    expect([...counts.strict()].map(({ key }) => key)).toEqual(['one', 'three']);
  });
});
