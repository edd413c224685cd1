import { setFlagsFromString, getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { OpenItems } from './open-items.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

const ROUNDS = 400;
const ITEM_LENGTH = 4_000;
const ITEMS_BYTES = ROUNDS * ITEM_LENGTH * 8;

/** Bytes that became old while items came and went, three at a time. */
function grownOld(add: (key: string, item: object) => () => void): number {
  const size = () => {
    const spaces = getHeapSpaceStatistics();
    return spaces.find(({ space_name: name }) => name === 'old_space')!.space_used_size;
  };
  const open: (() => void)[] = [];
  const round = (number: number) => {
    open.push(
      add(
        `key ${number}`,
        Array.from({ length: ITEM_LENGTH }, () => number),
      ),
    );
    if (open.length > 3) open.shift()!();
    if (number % 8 === 0) gc({ type: 'minor' });
  };
  // So that the tables themselves are old.
  round(0);
  gc({ type: 'major' });
  const before = size();
  for (let number = 1; number <= ROUNDS; number += 1) round(number);
  return size() - before;
}

describe('open items', () => {
  it('are found until they are removed', () => {
    const items = new OpenItems<{ name: string }>();
    const first = items.add({ name: 'first' });
    const second = items.add({ name: 'second' });
    items.remove(first);
    const third = items.add({ name: 'third' });
    expect([...items].map(({ name }) => name)).toEqual(['third', 'second']);
    expect(items.size).toBe(2);
    items.remove(second);
    items.remove(third);
    expect([...items]).toEqual([]);
  });

  it('leave with the next collection of young objects', () => {
    const items = new OpenItems();
    const one = grownOld((_, item) => {
      const place = items.add(item);
      return () => items.remove(place);
    });
    expect(one).toBeLessThan(ITEMS_BYTES / 4);
  });

  it('would stay in a Map until the next full collection', () => {
    const map = new Map<string, object>();
    const grown = grownOld((key, item) => {
      map.set(key, item);
      return () => map.delete(key);
    });
    expect(grown).toBeGreaterThan(ITEMS_BYTES / 4);
  });
});
