import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { TimerWheel } from './timer-wheel.js';

describe('TimerWheel', () => {
  let wheel: TimerWheel;
  afterEach(() => wheel.stop());

  it('runs entries in the order they fall due, never early', async () => {
    wheel = new TimerWheel(100);
    const startedAtMs = performance.now();
    const ran: { name: string; afterMs: number }[] = [];
    for (const [name, delayMs] of [
      ['late', 80],
      ['soon', 20],
      ['now', 0],
    ] as const) {
      wheel.schedule(delayMs, () => ran.push({ name, afterMs: performance.now() - startedAtMs }));
    }
    await sleep(150);
    expect(ran.map(({ name }) => name)).toEqual(['now', 'soon', 'late']);
    expect(ran[1]!.afterMs).toBeGreaterThanOrEqual(20);
    expect(ran[2]!.afterMs).toBeGreaterThanOrEqual(80);
    expect(wheel.size).toBe(0);
  });

  it('runs what an entry schedules, and starts again after a rest', async () => {
    wheel = new TimerWheel(100);
    const ran: string[] = [];
    wheel.schedule(0, () => wheel.schedule(0, () => ran.push('chained')));
    await sleep(50);
    wheel.schedule(5, () => ran.push('rested'));
    await sleep(50);
    expect(ran).toEqual(['chained', 'rested']);
  });

  it('leaves an entry of a later turn in its slot', async () => {
    wheel = new TimerWheel(100);
    const ran: string[] = [];
    wheel.schedule(5 * 2_048 + 20, () => ran.push('next turn'));
    wheel.schedule(20, () => ran.push('this turn'));
    await sleep(80);
    expect(ran).toEqual(['this turn']);
    expect(wheel.size).toBe(1);
  });

  it('refuses when full and when stopped', () => {
    wheel = new TimerWheel(1);
    expect(wheel.schedule(1_000, () => {})).toBe(true);
    expect(wheel.schedule(1_000, () => {})).toBe(false);
    wheel.stop();
    expect(wheel.schedule(0, () => {})).toBe(false);
  });
});
