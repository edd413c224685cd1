import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. A condition that does not come true on the slowest machine hangs. */
const TIMEOUT_MS = 60_000;

/**
 * Polls until `probe` returns something truthy. Fails with the description of the condition. It
 * looks once after the deadline.
 */
export async function waitUntil<Result>(
  what: string,
  probe: () => Promise<Result | undefined | false | null> | Result | undefined | false | null,
  { timeoutMs = TIMEOUT_MS, everyMs = 20 } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const isLate = Date.now() > deadline;
    const result = await probe();
    if (result) return result;
    if (isLate) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await sleep(everyMs);
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
