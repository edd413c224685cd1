import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DueTimers } from './due-timers.js';

describe('due timers', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('run what is due in its order, and at once what is due now', () => {
    const timers = new DueTimers(10);
    const order: string[] = [];
    timers.schedule(40, () => order.push('later'));
    timers.schedule(0, () => order.push('now'));
    timers.schedule(10, () => order.push('soon'));
    expect(timers.size).toBe(3);
    jest.advanceTimersByTime(0);
    expect(order).toEqual(['now']);
    jest.advanceTimersByTime(40);
    expect(order).toEqual(['now', 'soon', 'later']);
    expect(timers.size).toBe(0);
  });

  it('refuse one more than they may hold, and all once they are stopped', () => {
    const timers = new DueTimers(1);
    let ran = 0;
    expect(timers.schedule(5, () => (ran += 1))).toBe(true);
    expect(timers.schedule(5, () => (ran += 1))).toBe(false);
    timers.stop();
    expect(timers.schedule(0, () => (ran += 1))).toBe(false);
    jest.advanceTimersByTime(20);
    expect(ran).toBe(0);
  });
});
