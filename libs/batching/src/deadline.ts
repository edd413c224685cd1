import { OpenItems } from './open-items.js';

interface Pending {
  readonly expiresAt: number;
  readonly expire: () => void;
  /** Its place among the pending ones, until it ends or expires. */
  place: number | undefined;
}

const SWEEP_EVERY_MS = 100;
const pending = new OpenItems<Pending>();
let sweep: NodeJS.Timeout | undefined;

/**
 * Settles as the work does, or rejects at the deadline, at most `SWEEP_EVERY_MS` late. One sweep
 * serves all, because the driver's timer for each statement kept ended statements in memory
 * (ADR 80).
 */
export function withDeadline<Result>(
  work: Promise<Result>,
  deadlineMs: number,
  lateError: () => Error,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const entry: Pending = {
      expiresAt: performance.now() + deadlineMs,
      expire: () => reject(lateError()),
      place: undefined,
    };
    entry.place = pending.add(entry);
    startSweep();
    work.then(
      (result) => {
        end(entry);
        resolve(result);
      },
      (error: unknown) => {
        end(entry);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

function end(entry: Pending): void {
  if (entry.place !== undefined) pending.remove(entry.place);
  entry.place = undefined;
}

function startSweep(): void {
  if (sweep) return;
  sweep = setInterval(() => {
    const now = performance.now();
    for (const entry of pending) {
      if (entry.expiresAt > now) continue;
      end(entry);
      entry.expire();
    }
    if (pending.size === 0) {
      clearInterval(sweep);
      sweep = undefined;
    }
  }, SWEEP_EVERY_MS);
  sweep.unref();
}
