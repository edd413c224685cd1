import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Call } from '@watchword/contracts';
import { waitUntil } from '@watchword/testing';
import type { FrameAnswer } from './frames.js';
import type { Peer } from './peer.js';
import { ServiceCaller } from './service-caller.js';

const call = { deadlineMs: 5_000, idempotent: false } as Call;

/** A replica that answers a frame when the test says so. */
class ScriptedPeer {
  available = true;
  refuses = false;
  readonly tried = Promise.resolve();
  readonly frames: { requests: unknown[]; answer: () => void }[] = [];

  private leftAtMs = -Infinity;

  get availableAtMs(): number {
    return this.available ? performance.now() : this.leftAtMs;
  }

  leave(): void {
    this.available = false;
    this.leftAtMs = performance.now();
  }

  call(_name: string, requests: unknown[]): Promise<FrameAnswer> {
    if (this.refuses) {
      this.leave();
      return Promise.resolve({ refused: 'away' });
    }
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

  /** Makes a call in its own turn of the event loop. */
  const invoke = async (request: string, name = 'accept') => {
    const result = caller.invoke(name, call, request);
    await nextTurn();
    await nextTurn();
    return { result };
  };

  beforeEach(() => {
    // Fakes only what holds calls back. The turns of the event loop are real.
    jest.useFakeTimers({
      doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
    });
    peer.frames.length = 0;
    caller = new ServiceCaller('billing', [peer as unknown as Peer]);
  });

  afterEach(() => void jest.useRealTimers());

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
});

describe('a call in an update', () => {
  const [old, fresh] = [new ScriptedPeer(), new ScriptedPeer()];
  const caller = new ServiceCaller('billing', [old, fresh] as unknown as Peer[]);
  const invoke = () => caller.invoke('accept', call, 'a');
  let nowMs = performance.now();
  let now: jest.SpiedFunction<typeof performance.now>;

  /** Time passes when a test says so. */
  beforeEach(() => {
    now = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => now.mockRestore());

  it('waits a moment for the new replica when the old one has just left', async () => {
    fresh.available = false;
    const before = invoke();
    await waitUntil('the old one to be asked', () => old.frames.length === 1);
    old.frames[0]?.answer();
    await expect(before).resolves.toBe('a');
    old.refuses = true;
    const after = invoke();
    await nextTurn();
    nowMs += 100;
    fresh.available = true;
    await waitUntil('the new one to be asked', () => fresh.frames.length === 1);
    fresh.frames[0]?.answer();
    await expect(after).resolves.toBe('a');
  });

  it('is refused at once when the service has been away for longer', async () => {
    fresh.leave();
    nowMs += 10_000;
    // No time passes meanwhile, so one that waited would not end.
    await expect(invoke()).rejects.toThrow('unavailable');
  });
});
