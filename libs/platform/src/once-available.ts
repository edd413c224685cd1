import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';

const TIMEOUT_MS = 30_000;
const AGAIN_AFTER_MS = 200;

/**
 * Retries a call that may be repeated while a service is starting. After a crash there is much to
 * resume, and a service may answer too late. That does not end the start.
 */
export async function onceAvailable<Result>(
  ask: () => Promise<Result>,
  timeoutMs = TIMEOUT_MS,
): Promise<Result> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const isUnavailable =
        error instanceof ServiceUnavailable || error instanceof DatabaseUnavailable;
      if (!isUnavailable || performance.now() > deadline) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
