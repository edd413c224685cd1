import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { NextLook } from './next-look.js';

describe('the next look', () => {
  it('is due at first, and again after its time', async () => {
    const look = new NextLook(500);
    expect(look.isDue).toBe(true);
    look.begin();
    expect(look.isDue).toBe(false);
    await sleep(520);
    expect(look.isDue).toBe(true);
  });

  it('is due earlier where something is known, and never later for it', async () => {
    const look = new NextLook(60_000);
    look.begin();
    look.in(300);
    look.in(120_000);
    expect(look.isDue).toBe(false);
    await sleep(320);
    expect(look.isDue).toBe(true);
  });

  it('is due at a moment of the clock of the product', async () => {
    const clock = { now: () => 5_000 };
    const look = new NextLook(60_000);
    look.begin();
    look.at(new Date(65_000), clock);
    expect(look.isDue).toBe(false);
    look.at(new Date(5_300), clock);
    expect(look.isDue).toBe(false);
    await sleep(320);
    expect(look.isDue).toBe(true);
  });
});
