import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { OpenItems, OpenMap } from './open-items.js';

setFlagsFromString('--expose-gc');

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
});
