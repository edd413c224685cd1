import type { Clock, EndpointId } from '@watchword/contracts';

/**
 * When the next row of each endpoint is due, as far as this process knows, and a timer for the
 * earliest one that can be served. Rows due beyond the horizon are left to a later sweep.
 */
export class DueEndpoints {
  private readonly dueAtMs = new Map<EndpointId, number>();
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    private readonly options: {
      horizonMs: number;
      wantedOf: (endpointId: EndpointId) => number;
      /** Serves due endpoints. No timer is set while it runs. */
      serve: () => Promise<void>;
    },
  ) {}

  private serving: Promise<void> | undefined;

  due(endpointId: EndpointId, atMs: number): void {
    if (atMs > this.clock.now() + this.options.horizonMs) return;
    if (atMs >= (this.dueAtMs.get(endpointId) ?? Infinity)) return;
    this.dueAtMs.set(endpointId, atMs);
    this.wakeAt(atMs);
  }

  /** Called when there is space for more of this endpoint. */
  noteSpace(endpointId: EndpointId): void {
    const dueAtMs = this.dueAtMs.get(endpointId) ?? Infinity;
    if (dueAtMs <= this.clock.now()) this.wakeAt(dueAtMs);
  }

  forget(endpointId: EndpointId): void {
    this.dueAtMs.delete(endpointId);
  }

  /** Yields endpoints with rows that are due now. */
  *dueBy(nowMs: number): Iterable<EndpointId> {
    for (const [endpointId, dueAtMs] of this.dueAtMs) if (dueAtMs <= nowMs) yield endpointId;
  }

  /** Sets the timer again. Timers measure elapsed time, and the clock may have been set. */
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

  /** Returns the earliest time, without endpoints that have no space: they ask when they have. */
  private earliestMs(): number {
    const nowMs = this.clock.now();
    let earliestMs = Infinity;
    for (const [endpointId, dueAtMs] of this.dueAtMs) {
      if (dueAtMs >= earliestMs) continue;
      if (dueAtMs > nowMs || this.options.wantedOf(endpointId) > 0) earliestMs = dueAtMs;
    }
    return earliestMs;
  }
}
