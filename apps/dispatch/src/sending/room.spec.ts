import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Room } from './room.js';

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
    const room = new Room(8, 2);
    const { begun, ends, work } = works();
    const all = ['one', 'two', 'three', 'four'].map((name) => room.inTurn(work(name)));
    expect(begun).toEqual(['one', 'two']);
    expect([room.inHand, room.waitingOfBursts]).toEqual([2, 2]);
    ends.get('two')!();
    await all[1];
    await turn();
    expect(begun).toEqual(['one', 'two', 'three']);
    ends.get('one')!();
    ends.get('three')!();
    await turn();
    ends.get('four')!();
    expect(await Promise.all(all)).toEqual(['one', 'two', 'three', 'four']);
    expect([room.inHand, room.waitingOfBursts]).toEqual([0, 0]);
  });

  it('takes none of the room of other messages', async () => {
    const room = new Room(4, 1);
    const { begun, ends, work } = works();
    const burst = room.inTurn(work('burst'));
    const waiting = room.inTurn(work('waiting'));
    await room.waitFor(4);
    expect(room.isLeft).toBe(true);
    expect(begun).toEqual(['burst']);
    ends.get('burst')!();
    await burst;
    await turn();
    ends.get('waiting')!();
    await waiting;
  });

  it('turns away what waits when it closes, and what comes later', async () => {
    const room = new Room(4, 1);
    const { begun, ends, work } = works();
    const all = ['one', 'two', 'three'].map((name) => room.inTurn(work(name)));
    room.close();
    expect(await Promise.all(all.slice(1))).toEqual([null, null]);
    expect(await room.inTurn(work('later'))).toBeNull();
    ends.get('one')!();
    expect(await all[0]).toBe('one');
    expect(begun).toEqual(['one']);
    expect([room.inHand, room.waitingOfBursts]).toEqual([0, 0]);
  });

  it('is given on when work fails', async () => {
    const room = new Room(4, 1);
    const { ends, work } = works();
    const failing = room.inTurn(() => Promise.reject(new Error('away')));
    const next = room.inTurn(work('next'));
    await expect(failing).rejects.toThrow('away');
    await turn();
    ends.get('next')!();
    expect(await next).toBe('next');
  });
});
