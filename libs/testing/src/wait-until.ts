import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. A condition that does not come true on the slowest machine hangs. */
const TIMEOUT_MS = 60_000;

/** Milliseconds between two polls: most conditions hold after a fraction of a second, some after many seconds. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
const GROWTH = 1.3;

/**
 * Polls until `probe` returns something truthy, ever more seldom: on a busy machine, what waits would
 * otherwise take the time of what it waits for. With `everyMs`, all pauses are that long. Fails with the
 * description of the condition. It looks once after the deadline.
 */
export async function waitUntil<Result>(
  what: string,
  probe: () => Promise<Result | undefined | false | null> | Result | undefined | false | null,
  { timeoutMs = TIMEOUT_MS, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLate = Date.now() > deadline;
    const result = await probe();
    if (result) return result;
    if (isLate) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await sleep(everyMs ?? pauseMs);
  }
}

/** Retries until it succeeds. Fails with the last error. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  withinMs = TIMEOUT_MS,
  everyMs = 5,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const isLate = Date.now() > deadline;
    try {
      return await check();
    } catch (error) {
      if (isLate) throw error;
      await sleep(everyMs);
    }
  }
}
