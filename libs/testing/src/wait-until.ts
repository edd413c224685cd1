import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until `probe` answers something truthy; fails with what it waited for. */
export async function waitUntil<Result>(
  what: string,
  probe: () => Promise<Result | undefined | false | null> | Result | undefined | false | null,
  { timeoutMs = 10_000, everyMs = 20 } = {},
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await sleep(everyMs);
  }
}

/** Tries until it succeeds; fails as the last try did. */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  withinMs = 10_000,
  everyMs = 5,
): Promise<Result> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(everyMs);
    }
  }
}
