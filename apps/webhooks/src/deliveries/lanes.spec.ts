import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asId } from '@watchword/contracts';
import type { Bound } from './bounds.js';
import { Lanes, type Pace } from './lanes.js';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Lets time pass. */
const tick = (milliseconds = 0) => jest.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

interface Bench {
  lanes: Lanes<string>;
  running: Map<string, number>;
  peak: Map<string, number>;
  done: string[];
  returned: string[];
  paces: Map<string, Pace>;
  /** Ends an attempt. Those of endpoints named `hang…` run until then. False: without a POST. */
  end: Map<string, (hasPosted?: boolean) => void>;
}

/** Four at once. */
class Four implements Bound {
  private running = 0;
  wait = () => (this.running < 4 ? 0 : null);
  take = () => void (this.running += 1);
  giveBack = () => void (this.running -= 1);
}

function bench(over: Partial<ConstructorParameters<typeof Lanes<string>>[0]> = {}): Bench {
  const running = new Map<string, number>();
  const peak = new Map<string, number>();
  const end = new Map<string, (hasPosted?: boolean) => void>();
  const paces = new Map<string, Pace>();
  const done: string[] = [];
  const returned: string[] = [];
  const bounds = new Map<string, Bound>();
  const boundOf = (lane: string) => {
    bounds.set(lane, bounds.get(lane) ?? new Four());
    return bounds.get(lane)!;
  };
  const lanes = new Lanes<string>({
    slots: { fast: 8, new: 4, slow: 2 },
    slotsMax: 1_000,
    boundsOf: (task) => [boundOf(task.split('/')[0]!)],
    waitingMax: 10_000,
    laneWaitingMax: 50,
    newLaneWaitingMax: 50,
    slowAfterMs: 30,
    probationMs: 10,
    attempt: async (task) => {
      const lane = task.split('/')[0]!;
      running.set(lane, (running.get(lane) ?? 0) + 1);
      peak.set(lane, Math.max(peak.get(lane) ?? 0, running.get(lane)!));
      let hasPosted = true;
      if (lane.startsWith('hang')) {
        hasPosted = await new Promise<boolean>((resolve) =>
          end.set(task, (posted = true) => resolve(posted)),
        );
      } else if (!lane.startsWith('healthy')) await pause(1);
      running.set(lane, running.get(lane)! - 1);
      done.push(task);
      return hasPosted ? 'ok' : null;
    },
    giveBack: (tasks) => returned.push(...tasks),
    onSpace: () => undefined,
    paced: (endpointId, pace) => paces.set(endpointId, pace),
    ...over,
  });
  return { lanes, running, peak, done, returned, paces, end };
}

const tasks = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${lane}/${index}`);

describe('lanes', () => {
  it('run everything, never more of one endpoint than its bound', async () => {
    const { lanes, peak, done, paces } = bench();
    for (const lane of ['a', 'b', 'c']) lanes.offer(asId(lane), tasks(lane, 40));
    while (done.length < 120) await tick(1);
    expect([...peak.values()].every((most) => most <= 4)).toBe(true);
    expect(lanes.running).toBe(0);
    expect([...paces.values()]).toEqual(['fast', 'fast', 'fast']);
  });

  it('two lanes share one bound, and wait for a bound of time', async () => {
    let left = 6;
    const shared = new Four();
    const timed: Bound = {
      wait: () => (left > 0 ? 0 : 1_000),
      take: () => void (left -= 1),
      giveBack: () => undefined,
    };
    const { lanes, running, done } = bench({ boundsOf: () => [timed, shared] });
    for (const lane of ['hang-a', 'hang-b']) lanes.offer(asId(lane), tasks(lane, 5), 'fast');
    await tick();
    expect([...running.values()].reduce((sum, count) => sum + count)).toBe(4);
    for (const lane of ['a', 'b']) lanes.offer(asId(lane), tasks(lane, 5), 'fast');
    await tick(20);
    expect(done).toEqual([]);
    expect(left).toBe(2);
  });

  it('start an unknown endpoint with one attempt', async () => {
    const { lanes, running } = bench();
    lanes.offer(asId('hang'), tasks('hang', 10));
    await tick();
    expect(running.get('hang')).toBe(1);
  });

  it('refuse what they cannot hold', () => {
    const { lanes } = bench({ waitingMax: 60 });
    expect(lanes.offer(asId('hang'), tasks('hang', 70))).toHaveLength(20);
    // One of them runs by now, 49 wait.
    expect(lanes.resting()).toEqual([]);
    expect(lanes.spaceOf(asId('other'))).toBe(11);
    lanes.offer(asId('hang'), tasks('hang', 5));
    expect(lanes.resting()).toEqual(['hang']);
  });

  it('give back what a slow endpoint holds, and probe it one at a time', async () => {
    const { lanes, returned, running, paces, end } = bench();
    lanes.offer(asId('hang'), tasks('hang', 10));
    await tick(60);
    expect(returned).toHaveLength(9);
    expect(lanes.resting()).toEqual(['hang']);
    expect(paces.get('hang')).toBe('slow');
    end.get('hang/0')!();
    await tick();
    expect(lanes.spaceOf(asId('hang'))).toBe(1);
    expect(lanes.offer(asId('hang'), ['hang/x', 'hang/y'])).toEqual(['hang/y']);
    await tick();
    expect(running.get('hang')).toBe(1);
    // A probe that ends quickly opens the lane again.
    end.get('hang/x')!();
    await tick();
    expect(lanes.spaceOf(asId('hang'))).toBe(50);
    expect(paces.get('hang')).toBe('fast');
  });

  it('learn nothing from a task that ends without a POST', async () => {
    const { lanes, paces, end } = bench();
    lanes.offer(asId('hang'), ['hang/a'], 'slow');
    await tick();
    end.get('hang/a')!(false);
    await tick();
    expect(paces.size).toBe(0);
    expect(lanes.spaceOf(asId('hang'))).toBe(1);
    lanes.offer(asId('hang-new'), ['hang-new/a']);
    await tick();
    end.get('hang-new/a')!(false);
    await tick();
    expect(paces.size).toBe(0);
  });

  it('stop: what waits is given back, what runs ends', async () => {
    const { lanes, returned, done, end } = bench();
    lanes.offer(asId('hang'), tasks('hang', 5));
    await tick();
    const stopped = lanes.stop();
    expect(returned).toHaveLength(4);
    end.get('hang/0')!();
    await stopped;
    expect(done).toEqual(['hang/0']);
  });
});
