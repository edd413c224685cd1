import { describe, expect, it } from '@jest/globals';
import { DueTimers } from './due-timers.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('due timers', () => {
  it('run what is due in its order, and at once what is due now', async () => {
    const timers = new DueTimers(10);
    const order: string[] = [];
    timers.schedule(40, () => order.push('later'));
    timers.schedule(0, () => order.push('now'));
    timers.schedule(10, () => order.push('soon'));
    expect(timers.size).toBe(3);
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).toEqual(['now']);
    for (let looks = 0; looks < 1_000 && timers.size > 0; looks += 1) await pause(5);
    expect(order).toEqual(['now', 'soon', 'later']);
    expect(timers.size).toBe(0);
  });

  it('refuse one more than they may hold, and all once they are stopped', async () => {
    const timers = new DueTimers(1);
    let ran = 0;
    expect(timers.schedule(5, () => (ran += 1))).toBe(true);
    expect(timers.schedule(5, () => (ran += 1))).toBe(false);
    timers.stop();
    expect(timers.schedule(0, () => (ran += 1))).toBe(false);
    await pause(20);
    expect(ran).toBe(0);
  });
});
