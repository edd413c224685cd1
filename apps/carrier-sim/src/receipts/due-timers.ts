/**
 * Milliseconds before each retry of a report, for ten minutes: tests keep the product down for minutes.
 * Real carriers and mail servers retry for hours.
 */
export const REPORT_RETRIES_MS: readonly number[] = [
  ...[1_000, 2_000, 4_000, 8_000, 16_000],
  ...Array<number>(20).fill(30_000),
];

/** Timers that are counted, bounded and stopped together. A timer due now runs in the next turn. */
export class DueTimers {
  private readonly waiting = new Set<() => void>();
  private stopped = false;

  /** `waitingMax` bounds memory: further timers are refused. */
  constructor(private readonly waitingMax: number) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Returns false if too many wait already, or after `stop`. */
  schedule(delayMs: number, run: () => void): boolean {
    if (this.stopped || this.waiting.size >= this.waitingMax) return false;
    const due = (): void => {
      this.waiting.delete(cancel);
      run();
    };
    const cancel = delayMs > 0 ? timer(delayMs, due) : immediate(due);
    this.waiting.add(cancel);
    return true;
  }

  stop(): void {
    this.stopped = true;
    for (const cancel of this.waiting) cancel();
    this.waiting.clear();
  }
}

function timer(delayMs: number, run: () => void): () => void {
  const handle = setTimeout(run, delayMs);
  return () => clearTimeout(handle);
}

/** Runs without a timer, because one of 0 ms waits at least 1 ms. */
function immediate(run: () => void): () => void {
  const handle = setImmediate(run);
  return () => clearImmediate(handle);
}
