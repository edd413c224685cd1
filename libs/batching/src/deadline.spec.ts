import { describe, expect, it, jest } from '@jest/globals';
import { withDeadline } from './deadline.js';

const late = () => new Error('late');

describe('a deadline', () => {
  it('changes nothing for work that ends before it', async () => {
    expect(await withDeadline(Promise.resolve(1), 1_000, late)).toBe(1);
    const failing = withDeadline(Promise.reject(new Error('broken')), 1_000, late);
    await expect(failing).rejects.toThrow('broken');
  });

  it('ends the wait for later work, each at its own', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    jest.useFakeTimers();
    const soon = withDeadline(promise, 50, late);
    const kept = withDeadline(promise, 60_000, late);
    const ended = expect(soon).rejects.toThrow('late');
    jest.advanceTimersByTime(50);
    await ended;
    reject(new Error('broken'));
    await expect(kept).rejects.toThrow('broken');
    jest.useRealTimers();
  });

  it('does not count the time in which this process is busy', async () => {
    const busyUntil = performance.now() + 1_000;
    const answer = new Promise((resolve) => setTimeout(resolve, 1_000, 'answer'));
    const asked = withDeadline(answer, 800, late);
    while (performance.now() < busyUntil);
    expect(await asked).toBe('answer');
  });
});
