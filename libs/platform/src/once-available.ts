import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';

const PATIENCE_MS = 30_000;
const AGAIN_AFTER_MS = 200;

/**
 * After a crash there is much to take up again, and a service that starts may answer too late. That does
 * not end the start. For calls that may be repeated.
 */
export async function onceAvailable<Result>(
  ask: () => Promise<Result>,
  patienceMs = PATIENCE_MS,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isAway = error instanceof ServiceUnavailable || error instanceof DatabaseUnavailable;
      if (!isAway || performance.now() > deadline) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
