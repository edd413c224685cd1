import { expect, it } from '@jest/globals';
import { FreshReads } from './fresh-reads.js';

function setUp() {
  const begun: PromiseWithResolvers<number>[] = [];
  const reads = new FreshReads(() => {
    const read = Promise.withResolvers<number>();
    begun.push(read);
    return read.promise;
  });
  return { begun, reads };
}

it('shares the read that begins after the question, and never one that runs', async () => {
  const { begun, reads } = setUp();
  const first = reads.find('a');
  const later = Array.from({ length: 100 }, () => reads.find('a'));
  expect(begun).toHaveLength(1);
  begun[0]!.resolve(1);
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(2);
  begun[1]!.resolve(2);
  expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
  void reads.find('a');
  expect(begun).toHaveLength(3);
});

it('begins the next read after one that failed, and reads of other keys at once', async () => {
  const { begun, reads } = setUp();
  const failing = reads.find('a');
  const next = reads.find('a');
  void reads.find('b');
  expect(begun).toHaveLength(2);
  begun[0]!.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  await new Promise(setImmediate);
  begun[2]!.resolve(3);
  expect(await next).toBe(3);
});
