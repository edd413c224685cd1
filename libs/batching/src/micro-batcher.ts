import { FairQueue } from './fair-queue.js';

/**
 * Turns many concurrent calls into few batches, without a delay for single calls.
 *
 * States: idle, flushing (at most `inFlightMax` batches), gathering (nothing in flight; `countMin` or
 * more wait for others), draining.
 * - When nothing is in flight, the next turn of the event loop flushes all calls of this turn.
 * - While a flush is in flight, calls gather and leave together when it ends, so batches grow with
 *   load.
 * - Results leave in slices, each in a separate turn of the event loop. So a request that comes in
 *   meanwhile, which may be refused at once, waits for a slice and not for the whole batch.
 * - The queue is bounded: beyond `queueMax` waiting items, `submit` rejects with `Overloaded` at
 *   once.
 *
 * Trade: a batch that throws fails all its items, unless `isolate` is set. Then it is halved until
 * the one bad item fails alone (at most log2(N) extra flushes per bad item). Set it only where a
 * failed flush is known to have had no effect; give a function where that depends on the error.
 */
export interface MicroBatcherOptions<Item, Result> {
  name: string;
  /** Receives at most `sizeMax` items and returns one result for each, in order. */
  flush: (items: Item[]) => Promise<Result[]>;
  sizeMax: number;
  queueMax: number;
  inFlightMax?: number;
  /**
   * How long the first call waits for others while nothing is in flight, unless they fill a batch; until the next turn
   * unless given.
   */
  lingerMs?: number;
  isolate?: boolean | ((error: unknown) => boolean);
  /** Lanes take turns where not all that wait fit into one batch; by default there is one. */
  laneOf?: (item: Item) => string;
  gather?: Gathering;
}

/**
 * Larger batches under load. A flush begins beside another one as soon as `countFull` items wait.
 * When the last one ends and `countMin` or more wait, the next one begins with `countFull`, and after
 * `waitMs` at the latest.
 */
export interface Gathering {
  countMin: number;
  countFull: number;
  waitMs: number;
}

/** The queue is full. The caller may retry later. */
export class Overloaded extends Error {
  constructor(name: string) {
    super(`${name} is overloaded`);
    this.name = 'Overloaded';
  }
}

const SLICE_SIZE = 32;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export class MicroBatcher<Item, Result> {
  private readonly queue = new FairQueue<Waiting<Item, Result>>();
  private inFlight = 0;
  /** Batches of which some callers have no result yet. */
  private answering = 0;
  private scheduled = false;
  /** Runs while the first call waits for others. */
  private lingering: NodeJS.Timeout | undefined;
  /** Runs while a batch gathers after a flush. */
  private gathering: NodeJS.Timeout | undefined;
  private idle: (() => void)[] = [];
  private readonly inFlightMax: number;

  constructor(private readonly options: MicroBatcherOptions<Item, Result>) {
    this.inFlightMax = options.inFlightMax ?? 1;
  }

  /** Items that wait for a flush, without those in flight. */
  get depth(): number {
    return this.queue.size;
  }

  submit(item: Item): Promise<Result> {
    if (this.queue.size >= this.options.queueMax) {
      return Promise.reject(new Overloaded(this.options.name));
    }
    return new Promise((resolve, reject) => {
      this.queue.push(this.options.laneOf?.(item) ?? '', { item, resolve, reject });
      this.schedule();
    });
  }

  /**
   * Resolves when nothing waits, nothing is in flight and every caller has its result. No call waits
   * for others meanwhile.
   */
  drain(): Promise<void> {
    if (this.isIdle) return Promise.resolve();
    if (this.lingering) this.launchScheduled();
    if (this.gathering) this.endGathering();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private schedule(): void {
    const { lingerMs, sizeMax, gather } = this.options;
    if (this.scheduled) {
      if (this.lingering && this.queue.size >= sizeMax) this.launchScheduled();
      return;
    }
    if (!this.mayBegin) return;
    if (this.gathering || (gather && this.inFlight > 0)) return this.launch();
    this.scheduled = true;
    if (lingerMs === undefined) setImmediate(this.launchScheduled);
    else this.lingering = setTimeout(this.launchScheduled, lingerMs);
  }

  private readonly launchScheduled = (): void => {
    clearTimeout(this.lingering);
    this.lingering = undefined;
    this.scheduled = false;
    this.launch();
  };

  private get mayBegin(): boolean {
    if (this.inFlight >= this.inFlightMax || this.queue.size === 0) return false;
    return this.isGathered || (this.inFlight === 0 && !this.gathering);
  }

  private get isGathered(): boolean {
    const { gather } = this.options;
    return !gather || this.queue.size >= gather.countFull;
  }

  private launch(): void {
    while (this.mayBegin) {
      clearTimeout(this.gathering);
      this.gathering = undefined;
      const batch = this.queue.take(this.options.sizeMax);
      this.inFlight += 1;
      void this.process(batch).finally(() => {
        this.inFlight -= 1;
        this.beginNext();
      });
    }
  }

  private beginNext(): void {
    const { gather } = this.options;
    if (this.queue.size === 0) this.endDrain();
    else if (
      !gather ||
      this.inFlight > 0 ||
      this.idle.length > 0 ||
      this.isGathered ||
      this.queue.size < gather.countMin
    )
      this.launch();
    else this.gathering ??= setTimeout(this.endGathering, gather.waitMs);
  }

  private readonly endGathering = (): void => {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    this.launch();
  };

  private get isIdle(): boolean {
    return this.queue.size === 0 && this.inFlight === 0 && this.answering === 0;
  }

  private endDrain(): void {
    if (!this.isIdle) return;
    const waiting = this.idle;
    this.idle = [];
    for (const resolve of waiting) resolve();
  }

  private async process(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.flush(batch.map((waiting) => waiting.item));
      if (results.length !== batch.length) {
        throw new Error(
          `${this.options.name}: ${results.length} results for ${batch.length} items`,
        );
      }
      this.answer(batch, results);
    } catch (error) {
      await this.fail(batch, error);
    }
  }

  /** The next batch may be under way before the last slice leaves. */
  private answer(batch: readonly Waiting<Item, Result>[], results: Result[], from = 0): void {
    const end = Math.min(from + SLICE_SIZE, batch.length);
    for (let index = from; index < end; index += 1) batch[index]!.resolve(results[index]!);
    if (end === batch.length) return;
    this.answering += 1;
    setImmediate(() => {
      this.answering -= 1;
      this.answer(batch, results, end);
      this.endDrain();
    });
  }

  private async fail(batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    const { isolate = false } = this.options;
    const halve = typeof isolate === 'function' ? isolate(error) : isolate;
    if (!halve || batch.length === 1) {
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    const middle = batch.length >> 1;
    await this.process(batch.slice(0, middle));
    await this.process(batch.slice(middle));
  }
}
