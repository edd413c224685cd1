import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { lookAt } from './look.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a look at a dependency', () => {
  it('is its answer, and nothing when it fails', async () => {
    const answers = [Promise.resolve('there'), Promise.reject(new Error('away'))];
    const look = lookAt(1_000, () => answers.shift() as Promise<string>);
    expect(await look()).toBe('there');
    expect(await look()).toBeUndefined();
  });

  it('that takes too long is nothing, and is not repeated before it has ended', async () => {
    const asked: ((answer: string) => void)[] = [];
    const look = lookAt(1_000, () => new Promise<string>((resolve) => asked.push(resolve)));
    const looks = [look(), look()];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(looks)).toEqual([undefined, undefined]);
    const later = look();
    expect(asked).toHaveLength(1);
    asked[0]?.('back');
    expect(await later).toBe('back');
    void look();
    expect(asked).toHaveLength(2);
  });
});
