import type { Counter } from './rate-limit.port.js';

export type LimitedCounter = Counter & { limit: number };

interface Alone {
  counter: LimitedCounter;
  /** The common count when this process began to count alone. */
  base: number;
  /** What this process has counted since and not announced. */
  count: number;
}

/** Most counters. Further ones are not reported back. */
const ALONE_MAX_DEFAULT = 100_000;
/** More than one, so that the sweep outruns the growth. */
const SWEPT_PER_COUNTER = 2;

export interface AloneCountsOptions {
  /** Returns whether the window of a key has ended, so that its count no longer matters. */
  isEnded: (key: string) => boolean;
  max?: number;
}

/** Counts of this gateway that it has not sent to the others yet. */
export class AloneCounts {
  private readonly counts = new Map<string, Alone>();
  private sweep: Iterator<string>;

  constructor(private readonly options: AloneCountsOptions) {
    this.sweep = this.counts.keys();
  }

  has(key: string): boolean {
    return this.counts.has(key);
  }

  of(key: string): number {
    return this.counts.get(key)?.count ?? 0;
  }

  /** Starts counting. `known` is the count of its window so far, undefined without one. */
  begin(counter: LimitedCounter, known: number | undefined): void {
    const { key } = counter;
    const found = this.counts.get(key);
    if (found && known !== undefined) return;
    if (!found && this.counts.size >= (this.options.max ?? ALONE_MAX_DEFAULT)) return;
    this.counts.set(key, { counter, base: known ?? 0, count: 0 });
  }

  /**
   * Returns this gateway's limit when `sharers` gateways share the rest. Rounded up: answers that
   * depend on the gateway are worse than one message too many.
   */
  shareOf({ key, limit }: LimitedCounter, sharers: number): number {
    const base = Math.min(this.counts.get(key)?.base ?? 0, limit);
    return base + Math.ceil((limit - base) / sharers);
  }

  /** Sets the count of all gateways, without this process's unannounced counts. */
  rebase(key: string, base: number): void {
    const found = this.counts.get(key);
    if (found) found.base = base;
  }

  /** Adds to the count. Negative when something is given back. */
  add(key: string, cost: number): void {
    const found = this.counts.get(key);
    if (found) found.count += cost;
  }

  /**
   * Takes the counts to announce. They count as announced: when the answer is late, Redis may have
   * counted it, and a second announcement would count it twice.
   */
  takeOut(key: string): number {
    const found = this.counts.get(key);
    const count = found?.count ?? 0;
    if (found) found.count = 0;
    return count;
  }

  /** Takes the common count, which includes ours. Counts since its publication stay local. */
  told(key: string, base: number): void {
    const found = this.counts.get(key);
    if (!found) return;
    if (found.count === 0) this.counts.delete(key);
    else found.base = base;
  }

  /** Drops a counter after its window. */
  drop(key: string): void {
    this.counts.delete(key);
  }

  /**
   * Checks the oldest counters before this many are counted. A counter that has just begun has no
   * window yet.
   */
  sweepFor(counters: number): void {
    for (let looked = 0; looked < SWEPT_PER_COUNTER * counters; looked += 1) {
      const next = this.sweep.next();
      if (next.done) {
        this.sweep = this.counts.keys();
        return;
      }
      if (this.options.isEnded(next.value)) this.counts.delete(next.value);
    }
  }

  dropEnded(): void {
    for (const key of this.counts.keys()) {
      if (this.options.isEnded(key)) this.counts.delete(key);
    }
  }

  /** Yields the counters that the others must know before they admit anything. */
  *strict(): Iterable<LimitedCounter> {
    for (const { counter, count } of this.counts.values()) {
      if (counter.strict && count !== 0) yield counter;
    }
  }
}
