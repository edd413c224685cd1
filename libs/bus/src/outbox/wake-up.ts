/** A bell for one sleeper. A ring without a sleeper wakes the next sleep at once. */
export class WakeUp {
  private rung = false;
  private awake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.awake?.();
  }

  /** Sleeps until a ring or for the delay. Returns whether it rang. */
  async sleep(delayMs: number): Promise<boolean> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        this.awake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.awake = undefined;
    }
    const isRung = this.rung;
    this.rung = false;
    return isRung;
  }
}
