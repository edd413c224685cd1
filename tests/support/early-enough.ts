/** Steps that must come before a timer of the system, whose clock a test by URL cannot set. */

/** A machine that is slow each time proves nothing. */
const TRIES_MAX = 5;
/** Seconds until a scheduled message is due: more each time that the machine was too slow. */
const DUE_AFTER_SECONDS = [5, 30, 120];

/**
 * Repeats an attempt until its result shows that it came early enough. Returns the last result, which
 * the caller judges.
 */
export async function earlyEnough<Result>(
  attempt: () => Promise<Result>,
  isEarly: (result: Result) => boolean,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const result = await attempt();
    if (isEarly(result) || tries === TRIES_MAX) return result;
  }
}

/** Prepares what must be done before a message is due at `sendAt`. */
export async function beforeDue<Result>(
  prepare: (sendAt: string) => Promise<Result>,
): Promise<Result> {
  for (const seconds of DUE_AFTER_SECONDS) {
    const dueAtMs = Date.now() + seconds * 1_000;
    const result = await prepare(new Date(dueAtMs).toISOString());
    if (Date.now() < dueAtMs - 1_000) return result;
  }
  throw new Error('the message was due before the test had prepared it');
}
