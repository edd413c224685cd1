interface Pending {
  /** By `ranMs`. */
  readonly expiresAt: number;
  readonly expire: () => void;
}

const SWEEP_EVERY_MS = 100;
/** A process that is busy or has no CPU time cannot know how long the other side took. */
const SWEEP_COUNTS_MS_MAX = 2 * SWEEP_EVERY_MS;
const pending = new Set<Pending>();
let sweep: NodeJS.Timeout | undefined;
let sweptAt = 0;
/** Milliseconds for which sweeps ran while work was pending. */
let ranMs = 0;

/**
 * Settles as the work does, or rejects at the deadline, at most a sweep late. Only time in which this
 * process runs counts. One sweep serves all.
 */
export function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
  lateError: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    startSweep();
    const entry: Pending = {
      expiresAt: ranMs + sinceSweep() + deadlineMs,
      expire: () => reject(lateError()),
    };
    pending.add(entry);
    work.then(
      (result) => {
        pending.delete(entry);
        resolve(result);
      },
      (error: unknown) => {
        pending.delete(entry);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

function startSweep(): void {
  if (sweep) return;
  sweptAt = performance.now();
  sweep = setInterval(expireLate, SWEEP_EVERY_MS).unref();
}

function sinceSweep(): number {
  return Math.min(performance.now() - sweptAt, SWEEP_COUNTS_MS_MAX);
}

function expireLate(): void {
  ranMs += sinceSweep();
  sweptAt = performance.now();
  for (const entry of pending) {
    if (entry.expiresAt > ranMs) continue;
    pending.delete(entry);
    entry.expire();
  }
  if (pending.size > 0) return;
  clearInterval(sweep);
  sweep = undefined;
}
