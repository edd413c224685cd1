/** The checker on the product's own limiter: neither a restart nor a late acceptance looks like one admission too many. */
import { expect, it } from '@jest/globals';
import { violationsOfARun } from './windows.simulation.ts';

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);

it('blames no window of a limiter that holds', () => {
  expect(SEEDS.flatMap((seed) => violationsOfARun(seed))).toEqual([]);
});

it('finds a limiter that forgets at a restart', () => {
  const found = SEEDS.filter((seed) => violationsOfARun(seed, { forgets: true }).length > 0);
  expect(found.length).toBeGreaterThan(SEEDS.length / 2);
});
