export interface Closer {
  close(): Promise<void>;
  /** Synchronous and immediate, for the second Ctrl-C and the end of patience. */
  abort?(): void;
}

/** What has been started, closed in the reverse order. */
export class Closers {
  private readonly started: Closer[] = [];

  add(closer: Closer): void {
    this.started.push(closer);
  }

  /**
   * Goes on after a failure, so that nothing is left running; the first one is thrown at the end.
   */
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

  /** Kept until closed, so that `abort` still reaches the one that hangs. */
  private *takeAll(): Generator<Closer> {
    for (let last = this.started.at(-1); last; last = this.started.at(-1)) {
      yield last;
      this.started.splice(this.started.indexOf(last), 1);
    }
  }
}
