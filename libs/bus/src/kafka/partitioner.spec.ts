import { describe, expect, it } from '@jest/globals';
import { murmur2, partitionOf } from './partitioner.js';

describe('the partition of a key', () => {
  /** Values from the tests of Kafka's own client. */
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('is chosen as every client of Kafka chooses it: %s', (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
    expect(partitionOf(key, 12)).toBe((hash & 0x7fffffff) % 12);
  });

  it('is one of those that there are', () => {
    for (let n = 0; n < 1_000; n += 1) {
      const partition = partitionOf(`+234801${n}ключ`, 7);
      expect(partition >= 0 && partition < 7).toBe(true);
    }
  });
});
