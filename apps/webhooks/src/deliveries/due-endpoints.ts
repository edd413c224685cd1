import type { Clock } from '@watchword/contracts';

/**
 * When the next row of each endpoint is due, as far as this process knows, and a timer for the
 * earliest one that can be served. Rows due beyond the horizon are left to a later sweep.
 */
export class DueEndpoints {
  private readonly dueAtMs = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: {
      horizonMs: number;
      appetiteOf: (endpointId: string) => number;
      /** Wakes are not set while it runs. */
      serve: () => Promise<void>;
    },
  ) {}

  private serving: Promise<void> | undefined;

  due(endpointId: string, atMs: number): void {
    if (atMs > this.clock.now() + this.options.horizonMs) return;
    if (atMs >= (this.dueAtMs.get(endpointId) ?? Infinity)) return;
    this.dueAtMs.set(endpointId, atMs);
    this.wakeAt(atMs);
  }

  /** There is room for more of this endpoint. */
  hungry(endpointId: string): void {
    const dueAtMs = this.dueAtMs.get(endpointId) ?? Infinity;
    if (dueAtMs <= this.clock.now()) this.wakeAt(dueAtMs);
  }

  forget(endpointId: string): void {
    this.dueAtMs.delete(endpointId);
  }

  /** Endpoints with rows that are due now. */
  *dueBy(nowMs: number): Iterable<string> {
    for (const [endpointId, dueAtMs] of this.dueAtMs) if (dueAtMs <= nowMs) yield endpointId;
  }

  /** Timers measure time that has passed; the clock may have been set since. */
  wakeAnew(): void {
    clearTimeout(this.timer);
    this.timerAtMs = Infinity;
    this.wakeAt(this.earliestMs());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.serving;
  }

  private wakeAt(atMs: number): void {
    if (this.stopped || this.serving || atMs >= this.timerAtMs) return;
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(
      () => {
        this.timerAtMs = Infinity;
        this.serving = this.options.serve().finally(() => {
          this.serving = undefined;
          this.wakeAt(this.earliestMs());
        });
      },
      Math.max(atMs - this.clock.now(), 0),
    );
  }

  /** Endpoints whose rows are due and for which there is no room do not count: they will be hungry. */
  private earliestMs(): number {
    const nowMs = this.clock.now();
    let earliestMs = Infinity;
    for (const [endpointId, dueAtMs] of this.dueAtMs) {
      if (dueAtMs >= earliestMs) continue;
      if (dueAtMs > nowMs || this.options.appetiteOf(endpointId) > 0) earliestMs = dueAtMs;
    }
    return earliestMs;
  }
}
