import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Call } from '@watchword/contracts';
import type { FrameAnswer } from './frames.js';
import type { Peer } from './peer.js';
import { ServiceCaller } from './service-caller.js';

const call = { deadlineMs: 5_000, idempotent: false } as Call;

/** A replica that answers a frame when it is told to. */
class ScriptedPeer {
  readonly available = true;
  readonly tried = Promise.resolve();
  readonly frames: { requests: unknown[]; answer: () => void }[] = [];

  call(_name: string, requests: unknown[]): Promise<FrameAnswer> {
    return new Promise((resolve) => {
      const answer = () => resolve({ outcomes: requests.map((result) => ({ result })) });
      this.frames.push({ requests, answer });
    });
  }
}

describe('calls of one name', () => {
  const peer = new ScriptedPeer();
  const sent = () => peer.frames.map(({ requests }) => requests);
  let caller: ServiceCaller;

  /** In a turn of its own. */
  const invoke = async (request: string, name = 'accept') => {
    const result = caller.invoke(name, call, request);
    await nextTurn();
    await nextTurn();
    return { result };
  };

  beforeEach(() => {
    // Only what holds calls back: the turns of the event loop are real.
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
    peer.frames.length = 0;
    caller = new ServiceCaller('billing', [peer as unknown as Peer]);
  });

  afterEach(() => void jest.useRealTimers());

  it('leave at the end of their turn, together', async () => {
    const results = ['a', 'b'].map((request) => caller.invoke('accept', call, request));
    await nextTurn();
    await nextTurn();
    expect(sent()).toEqual([['a', 'b']]);
    peer.frames[0]?.answer();
    await expect(Promise.all(results)).resolves.toEqual(['a', 'b']);
  });

  it('gather while two frames are in flight, and leave when one comes back', async () => {
    const [first] = [await invoke('a'), await invoke('b')];
    await invoke('c');
    await invoke('d');
    expect(sent()).toEqual([['a'], ['b']]);
    peer.frames[0]?.answer();
    await expect(first.result).resolves.toBe('a');
    await nextTurn();
    expect(sent()).toEqual([['a'], ['b'], ['c', 'd']]);
    jest.advanceTimersByTime(1_000);
    expect(peer.frames).toHaveLength(3);
  });

  it('wait 2 ms at most for one that does not', async () => {
    for (const request of ['a', 'b', 'c']) await invoke(request);
    jest.advanceTimersByTime(2);
    await nextTurn();
    expect(sent()).toEqual([['a'], ['b'], ['c']]);
  });

  it('do not wait for those of another name', async () => {
    for (const request of ['a', 'b']) await invoke(request);
    await invoke('c', 'getAccount');
    expect(sent()).toEqual([['a'], ['b'], ['c']]);
  });
});
