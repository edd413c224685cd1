/** A bell for one sleeper. A ring without a sleeper wakes the next sleep at once. */
export class WakeUp {
  private rung = false;
  private awake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.awake?.();
  }

  /** Sleeps until a ring. */
  async wait(): Promise<void> {
    if (!this.rung) await new Promise<void>((resolve) => (this.awake = resolve));
    this.awake = undefined;
    this.rung = false;
  }
}
