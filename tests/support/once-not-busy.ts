import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './http.ts';

const BUSY = 503;
const BUSY_TRIES_MAX = 30;
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
