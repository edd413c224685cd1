import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { NextLook } from './next-look.js';

describe('the next look', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is due at first, and again after its time', () => {
    const look = new NextLook(500);
    expect(look.isDue).toBe(true);
    look.begin();
    expect(look.isDue).toBe(false);
    jest.advanceTimersByTime(500);
    expect(look.isDue).toBe(true);
  });

  it('is due earlier where something is known, and never later for it', () => {
    const look = new NextLook(60_000);
    look.begin();
    look.in(300);
    look.in(120_000);
    expect(look.isDue).toBe(false);
    jest.advanceTimersByTime(300);
    expect(look.isDue).toBe(true);
  });

  it('is due at a moment of the clock of the product', () => {
    const clock = { now: () => 5_000 };
    const look = new NextLook(60_000);
    look.begin();
    look.at(new Date(65_000), clock);
    expect(look.isDue).toBe(false);
    look.at(new Date(5_300), clock);
    expect(look.isDue).toBe(false);
    jest.advanceTimersByTime(300);
    expect(look.isDue).toBe(true);
  });
});
