export interface Closer {
  close(): Promise<void>;
  /** Synchronous and immediate, for the second Ctrl-C and the shutdown time-out. */
  abort?(): void;
}

/** Milliseconds that a process has to stop. */
const STOP_MS = 4_500;
/** Milliseconds in which all else ends once no open work is awaited: connections, pools, PostgreSQL. */
const REST_MS = 2_000;

/** Closes what was started, in reverse order. */
export class Closers {
  private readonly started: Closer[] = [];
  private closingSinceMs: number | undefined;

  /** @param stopMs How long the process has to stop, in milliseconds. */
  constructor(readonly stopMs = STOP_MS) {}

  /** Returns for how many milliseconds a stop may await open work. */
  graceMs(): number {
    const now = performance.now();
    return Math.max(0, (this.closingSinceMs ?? now) + this.stopMs - REST_MS - now);
  }

  add(closer: Closer): void {
    this.started.push(closer);
  }

  /** Continues after a failure, so that nothing is left running. Then throws the first error. */
  async close(): Promise<void> {
    this.closingSinceMs = performance.now();
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
