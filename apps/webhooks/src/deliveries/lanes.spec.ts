import { describe, expect, it } from '@jest/globals';
import { Lanes } from './lanes.js';

const tick = (milliseconds = 0) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Bench {
  lanes: Lanes<string>;
  running: Map<string, number>;
  peak: Map<string, number>;
  done: string[];
  returned: string[];
  /** Ends an attempt; those of endpoints named `hang…` run until then. */
  end: Map<string, () => void>;
}

function bench(over: Partial<ConstructorParameters<typeof Lanes<string>>[0]> = {}): Bench {
  const running = new Map<string, number>();
  const peak = new Map<string, number>();
  const end = new Map<string, () => void>();
  const done: string[] = [];
  const returned: string[] = [];
  const lanes = new Lanes<string>({
    fastPlaces: 8,
    slowPlaces: 2,
    placesMax: 100,
    laneMax: 4,
    waitingMax: 1_000,
    laneWaitingMax: 50,
    slowAfterMs: 30,
    attempt: async (task) => {
      const lane = task.split('/')[0]!;
      running.set(lane, (running.get(lane) ?? 0) + 1);
      peak.set(lane, Math.max(peak.get(lane) ?? 0, running.get(lane)!));
      if (lane.startsWith('hang')) await new Promise<void>((resolve) => end.set(task, resolve));
      else await tick(1);
      running.set(lane, running.get(lane)! - 1);
      done.push(task);
    },
    giveBack: (tasks) => returned.push(...tasks),
    hungry: () => undefined,
    ...over,
  });
  return { lanes, running, peak, done, returned, end };
}

const tasks = (lane: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${lane}/${index}`);

describe('lanes', () => {
  it('run everything, never more of one endpoint than its limit', async () => {
    const { lanes, peak, done } = bench();
    for (const lane of ['a', 'b', 'c']) lanes.offer(lane, tasks(lane, 40));
    while (done.length < 120) await tick(1);
    expect([...peak.values()].every((most) => most <= 4)).toBe(true);
    expect(lanes.running).toBe(0);
  });

  it('start an unknown endpoint with one attempt', async () => {
    const { lanes, running } = bench();
    lanes.offer('hang', tasks('hang', 10));
    await tick();
    expect(running.get('hang')).toBe(1);
  });

  it('refuse what they cannot hold', () => {
    const { lanes } = bench({ waitingMax: 60 });
    expect(lanes.offer('hang', tasks('hang', 70))).toHaveLength(20);
    // One of them runs by now, 49 wait.
    expect(lanes.resting()).toEqual([]);
    expect(lanes.roomOf('other')).toBe(11);
    lanes.offer('hang', tasks('hang', 5));
    expect(lanes.resting()).toEqual(['hang']);
  });

  it('keep going for those that answer, however many hang', async () => {
    const { lanes, done, running } = bench();
    for (let index = 0; index < 50; index += 1) {
      lanes.offer(`hang${index}`, tasks(`hang${index}`, 5));
    }
    await tick(400);
    expect([...running.values()].filter((count) => count > 1)).toEqual([]);
    lanes.offer('healthy', tasks('healthy', 40));
    await tick(150);
    expect(done.filter((task) => task.startsWith('healthy'))).toHaveLength(40);
  });

  it('give back what a slow endpoint holds, and probe it one at a time', async () => {
    const { lanes, returned, running, end } = bench();
    lanes.offer('hang', tasks('hang', 10));
    await tick(60);
    expect(returned).toHaveLength(9);
    expect(lanes.resting()).toEqual(['hang']);
    end.get('hang/0')!();
    await tick();
    expect(lanes.roomOf('hang')).toBe(1);
    expect(lanes.offer('hang', ['hang/x', 'hang/y'])).toEqual(['hang/y']);
    await tick();
    expect(running.get('hang')).toBe(1);
    // A probe that ends quickly opens the lane again.
    end.get('hang/x')!();
    await tick();
    expect(lanes.roomOf('hang')).toBe(50);
  });

  it('stop: what waits is given back, what runs ends', async () => {
    const { lanes, returned, done, end } = bench();
    lanes.offer('hang', tasks('hang', 5));
    await tick();
    const stopped = lanes.stop();
    expect(returned).toHaveLength(4);
    end.get('hang/0')!();
    await stopped;
    expect(done).toEqual(['hang/0']);
  });
});
