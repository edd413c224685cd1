import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { undisturbed } from '@watchword/testing';
import { LoopUse } from './loop-use.js';

const WINDOW_MS = 300;

it('the use of the loop is what it worked in the last window', () =>
  undisturbed(async () => {
    const use = new LoopUse();
    expect(use.now).toBe(0);
    const endMs = performance.now() + WINDOW_MS;
    while (performance.now() < endMs);
    expect(use.now).toBeGreaterThan(0.9);
    await sleep(WINDOW_MS);
    expect(use.now).toBeLessThan(0.5);
  }));
