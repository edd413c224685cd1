const WINDOW_SECONDS = 60;

/** Submits of the last minute, counted by whole seconds, so memory stays bounded at every rate. */
export class SubmitRate {
  private seconds: { second: number; submits: number; failures: number }[] = [];

  count(isFailure: boolean, now: number): void {
    const second = Math.floor(now / 1_000);
    this.forget(now);
    let current = this.seconds.at(-1);
    if (current?.second !== second) {
      current = { second, submits: 0, failures: 0 };
      this.seconds.push(current);
    }
    current.submits += 1;
    if (isFailure) current.failures += 1;
  }

  /** Returns the counts. The failed share is 0 without submits. */
  read(now: number): { submits: number; failedShare: number } {
    this.forget(now);
    const submits = this.seconds.reduce((sum, one) => sum + one.submits, 0);
    const failures = this.seconds.reduce((sum, one) => sum + one.failures, 0);
    return { submits, failedShare: submits === 0 ? 0 : failures / submits };
  }

  private forget(now: number): void {
    const oldest = Math.floor(now / 1_000) - WINDOW_SECONDS;
    this.seconds = this.seconds.filter(({ second }) => second > oldest);
  }
}
