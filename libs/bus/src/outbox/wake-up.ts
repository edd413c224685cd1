/** A bell for one sleeper: rung without a sleeper, it wakes the next one at once. */
export class WakeUp {
  private rung = false;
  private awake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.awake?.();
  }

  /** Until rung, or for so long; answers whether it was rung. */
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
