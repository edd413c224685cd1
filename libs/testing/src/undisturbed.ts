const LOOK_EVERY_MS = 10;
/** Milliseconds. No time-out of the product is as short. */
const STANDSTILL_MS = 100;
const TRIES_MAX = 5;

/**
 * Judges times only where the machine kept up: an attempt that fails while this process was not given its
 * turn is made again. On a machine that never keeps up, the last attempt decides.
 */
export async function undisturbed<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    let [lookedAt, longestMs] = [performance.now(), 0];
    const looking = setInterval(() => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - lookedAt - LOOK_EVERY_MS);
      lookedAt = now;
    }, LOOK_EVERY_MS);
    try {
      return await attempt();
    } catch (error) {
      if (longestMs < STANDSTILL_MS || tries === TRIES_MAX) throw error;
    } finally {
      clearInterval(looking);
    }
  }
}
