import { describe, expect, it, jest } from '@jest/globals';
import { HeldReading } from './held-reading.js';

describe('HeldReading', () => {
  it('reads once for all that ask within its time, and again on demand', async () => {
    let count = 0;
    const reading = new HeldReading(() => Promise.resolve((count += 1)), 60_000);
    expect(await Promise.all([reading.current(), reading.current()])).toEqual([1, 1]);
    expect(await reading.latest()).toBe(2);
    expect(await reading.current()).toBe(2);
    reading.forget();
    expect(await reading.current()).toBe(3);
  });

  it('reads again once its time is over', async () => {
    const read = jest.fn(() => Promise.resolve('value'));
    jest.useFakeTimers();
    const reading = new HeldReading(read, 20);
    await reading.current();
    jest.advanceTimersByTime(20);
    await reading.current();
    jest.useRealTimers();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reads each time where it holds for no time', async () => {
    const read = jest.fn(() => Promise.resolve('value'));
    const reading = new HeldReading(read, 0);
    await reading.current();
    await reading.current();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('holds no failure', async () => {
    const read = jest.fn<() => Promise<string>>();
    read.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce('value');
    const reading = new HeldReading(read, 60_000);
    await expect(reading.current()).rejects.toThrow('away');
    await expect(reading.current()).resolves.toBe('value');
  });
});
