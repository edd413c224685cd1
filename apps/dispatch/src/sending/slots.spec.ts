import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Slots } from './slots.js';

/** Work that lasts until the test ends it, and records its start. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  return { begun, ends, work };
}

describe('the room of a burst', () => {
  it('has its own places, entered in turn', async () => {
    const slots = new Slots(8, 2);
    const { begun, ends, work } = works();
    const all = ['one', 'two', 'three', 'four'].map((name) => slots.inTurn(work(name)));
    expect(begun).toEqual(['one', 'two']);
    expect([slots.inHand, slots.waitingOfBursts]).toEqual([2, 2]);
    ends.get('two')!();
    await all[1];
    await turn();
    expect(begun).toEqual(['one', 'two', 'three']);
    ends.get('one')!();
    ends.get('three')!();
    await turn();
    ends.get('four')!();
    expect(await Promise.all(all)).toEqual(['one', 'two', 'three', 'four']);
    expect([slots.inHand, slots.waitingOfBursts]).toEqual([0, 0]);
  });

  it('takes none of the room of other messages', async () => {
    const slots = new Slots(4, 1);
    const { begun, ends, work } = works();
    const burst = slots.inTurn(work('burst'));
    const waiting = slots.inTurn(work('waiting'));
    await slots.waitFor(4);
    expect(slots.isLeft).toBe(true);
    expect(begun).toEqual(['burst']);
    ends.get('burst')!();
    await burst;
    await turn();
    ends.get('waiting')!();
    await waiting;
  });

  it('turns away what waits when it closes, and what comes later', async () => {
    const slots = new Slots(4, 1);
    const { begun, ends, work } = works();
    const all = ['one', 'two', 'three'].map((name) => slots.inTurn(work(name)));
    slots.close();
    expect(await Promise.all(all.slice(1))).toEqual([null, null]);
    expect(await slots.inTurn(work('later'))).toBeNull();
    ends.get('one')!();
    expect(await all[0]).toBe('one');
    expect(begun).toEqual(['one']);
    expect([slots.inHand, slots.waitingOfBursts]).toEqual([0, 0]);
  });

  it('is given on when work fails', async () => {
    const slots = new Slots(4, 1);
    const { ends, work } = works();
    const failing = slots.inTurn(() => Promise.reject(new Error('away')));
    const next = slots.inTurn(work('next'));
    await expect(failing).rejects.toThrow('away');
    await turn();
    ends.get('next')!();
    expect(await next).toBe('next');
  });
});
