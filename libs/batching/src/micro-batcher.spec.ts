import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MicroBatcher, type MicroBatcherOptions, Overloaded } from './micro-batcher.js';

type Options = Partial<MicroBatcherOptions<number, number>>;

/** Doubles numbers, and lets the test decide when a flush ends. */
function setUp(options: Options = {}) {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const batcher = new MicroBatcher<number, number>({
    name: 'doubling',
    flush: async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return items.map((item) => item * 2);
    },
    sizeMax: 100,
    queueMax: 1_000,
    ...options,
  });
  return { batcher, batches, release: () => releases.shift()?.() };
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

/** Submits all at once. Returns the errors of the rejected ones. */
async function settle(batcher: MicroBatcher<number, number>, items: number[]): Promise<number[]> {
  const settled = await Promise.allSettled(items.map((item) => batcher.submit(item)));
  return items.filter((_, index) => settled[index]?.status === 'rejected');
}

describe('grouping', () => {
  it('flushes at once when idle, with all that came in the same turn', async () => {
    const { batcher, batches, release } = setUp();
    const results = Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
    expect(batches).toEqual([]);
    await nextTurn();
    expect(batches).toEqual([[1, 2, 3]]);
    release();
    expect(await results).toEqual([2, 4, 6]);
  });

  it('grows with load: what comes in during a flush leaves together after it', async () => {
    const { batcher, batches, release } = setUp();
    const results = [batcher.submit(1)];
    await nextTurn();
    for (const item of range(2, 50)) {
      results.push(batcher.submit(item));
      if (item % 10 === 0) await nextTurn();
    }
    expect(batches).toEqual([[1]]);
    expect(batcher.depth).toBe(49);
    release();
    await turns(2);
    expect(batches).toEqual([[1], range(2, 50)]);
    release();
    expect(await Promise.all(results)).toEqual(range(1, 50).map((item) => item * 2));
  });

  it('never exceeds sizeMax, keeps the order and gives each caller its own result', async () => {
    const { batcher, batches } = setUp({
      sizeMax: 4,
      flush: async (items) => {
        batches.push(items);
        return items.map((item) => item * 2);
      },
    });
    const results = await Promise.all(range(1, 10).map((item) => batcher.submit(item)));
    expect(batches).toEqual([range(1, 4), range(5, 8), range(9, 10)]);
    expect(results).toEqual(range(1, 10).map((item) => item * 2));
  });

  it('has at most inFlightMax flushes under way', async () => {
    let underWay = 0;
    let most = 0;
    const { batcher } = setUp({
      sizeMax: 1,
      inFlightMax: 3,
      flush: async (items) => {
        most = Math.max(most, (underWay += 1));
        await nextTurn();
        underWay -= 1;
        return items;
      },
    });
    await Promise.all(range(1, 20).map((item) => batcher.submit(item)));
    expect(most).toBe(3);
  });
});

describe('bounds', () => {
  it('refuses at once when the queue is full, and accepts again afterwards', async () => {
    const { batcher, release } = setUp({ queueMax: 2 });
    const first = batcher.submit(1);
    await nextTurn();
    const waiting = [batcher.submit(2), batcher.submit(3)];
    await expect(batcher.submit(4)).rejects.toThrow(Overloaded);
    await expect(batcher.submit(4)).rejects.toThrow('doubling is overloaded');
    release();
    await first;
    await turns(2);
    release();
    expect(await Promise.all(waiting)).toEqual([4, 6]);
    const again = batcher.submit(5);
    await turns(2);
    release();
    expect(await again).toBe(10);
  });

  it('drains: resolves when nothing waits and nothing is under way', async () => {
    const { batcher, release } = setUp({ sizeMax: 1 });
    await batcher.drain();
    const results = [batcher.submit(1), batcher.submit(2)];
    let drained = false;
    const draining = batcher.drain().then(() => (drained = true));
    await turns(2);
    release();
    await turns(2);
    expect(drained).toBe(false);
    release();
    await draining;
    expect(await Promise.all(results)).toEqual([2, 4]);
  });
});

describe('failures', () => {
  it('fails all items of a batch without isolate, and goes on', async () => {
    let broken = true;
    const { batcher } = setUp({
      flush: async (items) => {
        if (broken) throw new Error('no');
        return items;
      },
    });
    expect(await settle(batcher, [1, 2, 3])).toEqual([1, 2, 3]);
    broken = false;
    expect(await batcher.submit(4)).toBe(4);
  });

  it('with isolate, halves until the bad item fails alone', async () => {
    let flushes = 0;
    const { batcher } = setUp({
      isolate: true,
      flush: async (items) => {
        flushes += 1;
        if (items.includes(37)) throw new Error('37 cannot be done');
        return items;
      },
    });
    expect(await settle(batcher, range(1, 64))).toEqual([37]);
    expect(flushes).toBe(1 + 2 * Math.log2(64));
  });

  it('fails the batch when the flush answers too few results', async () => {
    const { batcher } = setUp({ flush: async () => [1] });
    const outcomes = await Promise.allSettled([1, 2].map((item) => batcher.submit(item)));
    const reason = new Error('doubling: 1 results for 2 items');
    expect(outcomes).toMatchObject([{ reason }, { reason }]);
  });
});
