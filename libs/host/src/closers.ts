export interface Closer {
  close(): Promise<void>;
  /** Synchronous and immediate, for the second Ctrl-C and the shutdown time-out. */
  abort?(): void;
}

/** Milliseconds in which all else ends once no open work is awaited: connections, pools, PostgreSQL. */
const REST_MS = 1_500;

/** Closes what was started, in reverse order. */
export class Closers {
  private readonly started: Closer[] = [];
  private endsAtMs = Number.POSITIVE_INFINITY;

  /** Called when the stop begins: the process ends after this time, whatever is still open. */
  endWithin(milliseconds: number): void {
    this.endsAtMs = performance.now() + milliseconds;
  }

  /** Returns how long open work may still be awaited. */
  graceMs(): number {
    return Math.max(0, this.endsAtMs - performance.now() - REST_MS);
  }

  add(closer: Closer): void {
    this.started.push(closer);
  }

  /** Continues after a failure, so that nothing is left running. Then throws the first error. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const closer of this.takeAll()) {
      await closer.close().catch((error: unknown) => {
        closer.abort?.();
        failures.push(error);
      });
    }
    if (failures.length > 0) throw failures[0];
  }

  abort(): void {
    for (const closer of this.started.toReversed()) closer.abort?.();
  }

  /** A closer is kept until it is closed, so that `abort` reaches one that hangs. */
  private *takeAll(): Generator<Closer> {
    for (let last = this.started.at(-1); last; last = this.started.at(-1)) {
      yield last;
      this.started.splice(this.started.indexOf(last), 1);
    }
  }
}
