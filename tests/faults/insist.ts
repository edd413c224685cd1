import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../support/http.ts';

const RETRY_MS = 300;
const TRIES_MAX = 100;

/**
 * Repeats a request until its answer is final. A lost answer, a 5xx and a conflict with `Retry-After`
 * are not. A 429 is: the load waits for no limit.
 */
export async function insist(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await ask().catch(() => undefined);
    const isOpen = answer === undefined || answer.status >= 500 || 'retry-after' in answer.headers;
    if (!isOpen || answer?.status === 429) return answer;
    await sleep(RETRY_MS);
  }
  return undefined;
}
