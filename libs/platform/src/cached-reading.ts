/** Holds the result of a reading for a time, and reads when it is asked for. An unused one is not read. */
export class CachedReading<Value> {
  private last: { readonly value: Promise<Value>; readonly untilMs: number } | null = null;

  constructor(
    private readonly read: () => Promise<Value>,
    private readonly heldMs: number,
  ) {}

  /** Returns the value as it was read within the last `heldMs` milliseconds. */
  current(): Promise<Value> {
    if (this.last && performance.now() < this.last.untilMs) return this.last.value;
    return this.latest();
  }

  /** Reads the value now. A reading that failed is not held. */
  latest(): Promise<Value> {
    const reading = { value: this.read(), untilMs: performance.now() + this.heldMs };
    this.last = reading;
    reading.value.catch(() => {
      if (this.last === reading) this.last = null;
    });
    return reading.value;
  }

  /** The next one to ask reads it again. */
  forget(): void {
    this.last = null;
  }
}
