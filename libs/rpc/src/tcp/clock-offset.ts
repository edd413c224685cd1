interface Greeted {
  /** By our clock. */
  askedAt: number;
  answeredAt: number;
  /** Time of the other process, by its clock. */
  theirTime: number;
}

/** Two clocks go apart by no more than this; most do by a tenth of it. */
const driftPerMs = 1e-4;

/**
 * How far the clock of another process is ahead of ours. The quicker a greeting, the better it tells;
 * but what it told ages, so that a slower one is believed in its place after some minutes.
 */
export class ClockOffset {
  private offsetMs = 0;
  private knownAt = 0;
  private errorMs = Infinity;

  get ms(): number {
    return this.offsetMs;
  }

  learn({ askedAt, answeredAt, theirTime }: Greeted): void {
    const errorMs = (answeredAt - askedAt) / 2;
    if (errorMs > this.errorMs + (answeredAt - this.knownAt) * driftPerMs) return;
    this.errorMs = errorMs;
    this.knownAt = answeredAt;
    this.offsetMs = theirTime - (askedAt + errorMs);
  }

  /** It may be another process by now. */
  forget(): void {
    this.errorMs = Infinity;
  }
}
