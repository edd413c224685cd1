interface Greeted {
  /** Time of the question by our clock. */
  askedAt: number;
  answeredAt: number;
  /** Time of the answer by the other process's clock. */
  theirTime: number;
}

/** Most drift of two clocks. Most drift a tenth of it. */
const DRIFT_PER_MS = 1e-4;

/**
 * How far another process's clock is ahead of ours. A quick greeting gives the best value. Its
 * value ages, so after some minutes a slower one replaces it.
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
    if (errorMs > this.errorMs + (answeredAt - this.knownAt) * DRIFT_PER_MS) return;
    this.errorMs = errorMs;
    this.knownAt = answeredAt;
    this.offsetMs = theirTime - (askedAt + errorMs);
  }

  /** Drops the offset, because the other process may be a new one. */
  forget(): void {
    this.errorMs = Infinity;
  }
}
