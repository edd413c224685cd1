import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@watchword/contracts';

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** Asks again until the answer is final or the time is over. Returns the last answer. */
export async function pollUntil<Answer>(
  clock: Clock,
  timeoutMs: number,
  ask: () => Promise<Answer>,
  isFinal: (answer: Answer) => boolean,
): Promise<Answer> {
  const giveUpAt = clock.now() + timeoutMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const answer = await ask();
    if (isFinal(answer) || clock.now() + waitMs > giveUpAt) return answer;
    await sleep(waitMs);
  }
}
