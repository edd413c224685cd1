import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil as pollEvery } from '../../libs/testing/src/wait-until.ts';

/** Milliseconds. Most conditions hold after a fraction of a second, some after many seconds. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const GROWTH = 1.5;
const TIMEOUT_MS = 60_000;

type Probe<Result> = Parameters<typeof pollEvery<Result>>[1];

/**
 * Polls until `probe` returns a truthy value. Pauses grow, because frequent polls slow down the system
 * under test. With `everyMs`, all pauses are that long.
 */
export async function waitUntil<Result>(
  what: string,
  probe: Probe<Result>,
  { timeoutMs = TIMEOUT_MS, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Result> {
  if (everyMs !== undefined) return pollEvery(what, probe, { timeoutMs, everyMs });
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const isLate = Date.now() > deadline;
    const result = await probe();
    if (result) return result;
    if (isLate) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await sleep(pauseMs);
  }
}
