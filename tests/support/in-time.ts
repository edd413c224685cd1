import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './http.js';

/** On a machine that repeatedly stands still, nothing can be tested in time. */
const TRIES_MAX = 5;

/** The first result of `attempt` that is not undefined. It answers undefined when the machine was too slow. */
export async function inTime<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new Error(`the machine was too slow ${TRIES_MAX} times`);
}

/**
 * The first result of `attempt` that took less than `ms`: for steps that must come before a timer of the
 * system ends. Their answers are judged by the caller.
 */
export function inLessThan<Result>(ms: number, attempt: () => Promise<Result>): Promise<Result> {
  return inTime(async () => {
    const startedAt = performance.now();
    const result = await attempt();
    return performance.now() - startedAt < ms ? result : undefined;
  });
}

const BUSY = 503;
const BUSY_TRIES_MAX = 5;
const BUSY_PAUSE_MS = 1_000;

/**
 * Repeats while the service answers that it is busy, as its clients must: for what a test prepares.
 * What it judges is asked once.
 */
export async function onceNotBusy(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (answer.status !== BUSY || tries === BUSY_TRIES_MAX) return answer;
    await sleep(BUSY_PAUSE_MS);
  }
}
