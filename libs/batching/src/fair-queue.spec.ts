import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

function filled(items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item[0]!, item);
  return queue;
}

describe('lanes', () => {
  it('take turns, each in its order', () => {
    const queue = filled(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
    expect(queue.take(5)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
    expect(queue.size).toBe(2);
    expect(queue.take(5)).toEqual(['a3', 'a4']);
    expect(queue.take(5)).toEqual([]);
  });

  it('a long one delays no other', () => {
    const queue = filled([...Array.from({ length: 1_000 }, (_, n) => `a${n}`), 'b1', 'c1']);
    expect(queue.take(4)).toEqual(['a0', 'b1', 'c1', 'a1']);
  });
});
