import { describe, expect, it } from '@jest/globals';
import { greatestAge } from './kafka-lag.js';

const looksMax = 16;

async function lagOf(age: number): Promise<number> {
  let looks = 0;
  const seconds = await greatestAge(async (than) => {
    looks += 1;
    return age > than;
  });
  expect(looks).toBeLessThanOrEqual(looksMax);
  return seconds;
}

describe('the age of the oldest waiting message', () => {
  it.each([0, 0.5, 1.5, 4, 8, 29, 45, 59, 61, 75, 119, 200, 299, 600, 3_000, 20_000, 80_000])(
    'of %d s is answered to a second or a quarter, and never more than it is',
    async (age) => {
      const seconds = await lagOf(age);
      expect(seconds).toBeLessThanOrEqual(age);
      expect(seconds).toBeGreaterThanOrEqual(Math.min(age - 1, age * 0.75));
    },
  );

  it('passes a minute when the message does', async () => {
    expect(await lagOf(59.9)).toBeLessThan(60);
    expect(await lagOf(60.1)).toBe(60);
  });

  it('ends at a day', async () => {
    expect(await lagOf(1_000_000)).toBe(86_400);
  });
});
