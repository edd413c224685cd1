import { performance } from 'node:perf_hooks';
import { expect, it, jest } from '@jest/globals';
import { LoopUse } from './loop-use.js';

const WINDOW_MS = 250;

it('the use of the loop is its share of the last window', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  let utilization = 0.95;
  const measure = jest
    .spyOn(performance, 'eventLoopUtilization')
    .mockImplementation(() => ({ idle: 0, active: 0, utilization }));
  const use = new LoopUse();
  expect(use.now).toBe(0);
  now.mockReturnValue(WINDOW_MS);
  expect(use.now).toBe(0.95);
  utilization = 0.2;
  expect(use.now).toBe(0.95);
  now.mockReturnValue(2 * WINDOW_MS);
  expect(use.now).toBe(0.2);
  now.mockRestore();
  measure.mockRestore();
});
