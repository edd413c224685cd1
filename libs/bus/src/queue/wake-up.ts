/** Wakes one sleeper. A notification without a sleeper ends the next sleep at once. */
export class WakeUp {
  private isNotified = false;
  private awake: (() => void) | undefined;

  notify(): void {
    this.isNotified = true;
    this.awake?.();
  }

  async wait(): Promise<void> {
    if (!this.isNotified) await new Promise<void>((resolve) => (this.awake = resolve));
    this.awake = undefined;
    this.isNotified = false;
  }
}
