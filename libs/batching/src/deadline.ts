import { OpenItems } from './open-items.js';

interface Pending {
  /** By `ranMs`. */
  readonly expiresAt: number;
  readonly expire: () => void;
  /** Its place among the pending ones, until it ends or expires. */
  place: number | undefined;
}

const SWEEP_EVERY_MS = 100;
/** A process that is busy or has no CPU time cannot know how long the other side took. */
const SWEEP_COUNTS_MS_MAX = 2 * SWEEP_EVERY_MS;
const pending = new OpenItems<Pending>();
let sweep: NodeJS.Timeout | undefined;
let sweptAt = 0;
/** Milliseconds for which sweeps ran while work was pending. */
let ranMs = 0;

/**
 * Settles as the work does, or rejects at the deadline, at most a sweep late. Only time in which this
 * process runs counts. One sweep serves all, because the driver's timer for
 * each statement kept ended statements in memory (ADR 67).
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
      place: undefined,
    };
    entry.place = pending.add(entry);
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
    end(entry);
    entry.expire();
  }
  if (pending.size > 0) return;
  clearInterval(sweep);
  sweep = undefined;
}
