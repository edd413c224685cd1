import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Logger } from '@watchword/observability';
import { every } from './periodic.js';

const INTERVAL_MS = 1_000;
const error = jest.fn();
const logger = { error } as unknown as Logger;

beforeEach(() => {
  jest.useFakeTimers();
  error.mockClear();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Work with runs that last until the test ends them. */
function slowWork() {
  const ends: ((hasMore?: boolean) => void)[] = [];
  const work = () => new Promise<boolean | void>((end) => ends.push(end));
  return { ends, work };
}

describe('work that is due every second', () => {
  it('runs a second after the last run ended, and never twice at once', async () => {
    const { ends, work } = slowWork();
    const job = every(INTERVAL_MS, 'work', work, logger);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(ends).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(ends).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
    ends[1]!();
    await job.stop();
  });

  it('runs at once when it is asked to, and again when it was asked during a run', async () => {
    const { ends, work } = slowWork();
    const job = every(INTERVAL_MS, 'work', work, logger);
    job.soon();
    await jest.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(1);
    job.soon();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await jest.advanceTimersByTimeAsync(0);
    expect(ends).toHaveLength(2);
    ends[1]!();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(ends).toHaveLength(2);
    await job.stop();
  });

  it('is logged when it fails, and comes again', async () => {
    const failure = new Error('no such table');
    const work = jest.fn(() => Promise.reject(failure));
    const job = every(INTERVAL_MS, 'purge', work, logger);
    await jest.advanceTimersByTimeAsync(2 * INTERVAL_MS);
    expect(work).toHaveBeenCalledTimes(2);
    expect(error).toHaveBeenCalledWith({ err: failure, job: 'purge' }, 'job failed');
    await job.stop();
  });

  it('stops when the run in hand is done, and runs no more', async () => {
    const { ends, work } = slowWork();
    const job = every(INTERVAL_MS, 'work', work, logger);
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    const stopped = jest.fn();
    const stop = job.stop().then(stopped);
    await jest.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(stopped).not.toHaveBeenCalled();
    ends[0]!(true);
    await stop;
    await jest.advanceTimersByTimeAsync(5 * INTERVAL_MS);
    expect(ends).toHaveLength(1);
  });
});
