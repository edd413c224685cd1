import { describe, expect, it } from '@jest/globals';
import { OpenItems } from './open-items.js';

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
});
