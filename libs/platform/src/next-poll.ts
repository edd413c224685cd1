import type { Clock } from '@watchword/contracts';

/**
 * When a job next polls for due work: at the earliest known moment, and from time to time for work
 * it cannot know of, such as that of a dead process. It uses a clock that is never set.
 */
export class NextPoll {
  private dueAtMs = -Infinity;

  constructor(private readonly everyMs: number) {}

  get isDue(): boolean {
    return performance.now() >= this.dueAtMs;
  }

  /** Something is due after the delay. An earlier poll stays. */
  in(delayMs: number): void {
    this.dueAtMs = Math.min(this.dueAtMs, performance.now() + delayMs);
  }

  /** Something is due at that time, by the product's clock. An earlier poll stays. */
  at(due: Date, clock: Clock): void {
    this.in(due.getTime() - clock.now());
  }

  /** Marks the start of a poll. */
  begin(): void {
    this.dueAtMs = performance.now() + this.everyMs;
  }
}
