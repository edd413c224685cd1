import type { Clock } from '@watchword/contracts';

/**
 * When a job looks again for what is due: at the moment that it knows of, and from time to time for what it cannot
 * know of, such as what a process that died has left. By a clock that is never set.
 */
export class NextLook {
  private dueAtMs = -Infinity;

  constructor(private readonly everyMs: number) {}

  get isDue(): boolean {
    return performance.now() >= this.dueAtMs;
  }

  /** Something is due after so long; earlier looks stay. */
  in(delayMs: number): void {
    this.dueAtMs = Math.min(this.dueAtMs, performance.now() + delayMs);
  }

  /** Something is due then, by the clock of the product; earlier looks stay. */
  at(due: Date, clock: Clock): void {
    this.in(due.getTime() - clock.now());
  }

  /** It looks now. */
  begin(): void {
    this.dueAtMs = performance.now() + this.everyMs;
  }
}
