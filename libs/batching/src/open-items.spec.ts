import { setFlagsFromString, getHeapSpaceStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { OpenItems, OpenMap } from './open-items.js';

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
    expect([items.at(second), items.at(third)]).toEqual([{ name: 'second' }, { name: 'third' }]);
    expect(items.size).toBe(2);
  });

  it('by key: the last one set, in the order of the first', () => {
    const items = new OpenMap<{ age: number }>();
    items.set('a', { age: 1 });
    items.set('b', { age: 2 });
    items.set('a', { age: 3 });
    expect([items.get('a'), items.get('b'), items.get('c')]).toEqual([
      { age: 3 },
      { age: 2 },
      undefined,
    ]);
    expect([...items.keys()]).toEqual(['a', 'b']);
    expect([items.delete('a'), items.delete('a')]).toEqual([true, false]);
    expect([items.has('a'), items.has('b'), items.size]).toEqual([false, true, 1]);
  });

  it('leave with the next collection of young objects', () => {
    const items = new OpenItems();
    const one = grownOld((_, item) => {
      const place = items.add(item);
      return () => items.remove(place);
    });
    const byKey = new OpenMap();
    const two = grownOld((key, item) => {
      byKey.set(key, item);
      return () => byKey.delete(key);
    });
    expect([one, two].map((bytes) => bytes < ITEMS_BYTES / 4)).toEqual([true, true]);
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
