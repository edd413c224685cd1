import type { Logger } from '@watchword/observability';
import { awayDelayMs, pause, Stopped } from '../consumer/batch-runner.js';
import type { Lease, Leases } from './leases.js';
import type { LogEntry, LogPosition, LogRead } from './outbox-reader.js';
import { WakeUp } from './wake-up.js';

export interface LogFollowerOptions {
  /** Name of the lease. Its holder follows; the others stand by. */
  name: string;
  leases: Leases;
  logger: Logger;
  batchSizeMax: number;
  /** Milliseconds to sleep without a ring. Short while notifications cannot arrive. */
  sleepMs: () => number;
  load: () => Promise<LogPosition>;
  read: (after: LogPosition, limit: number) => Promise<LogRead>;
  /** Rejects with `Stopped` when interrupted. The entries then come again. */
  process: (entries: readonly LogEntry[]) => Promise<void>;
  /**
   * Stores that everything up to `to` is processed. Returns false, and stores nothing, when the
   * stored position is not `from`.
   */
  advance: (from: LogPosition, to: LogPosition) => Promise<boolean>;
  /** Other work to do between two batches. */
  asideFirst?: () => Promise<void>;
  /** Messages to handle without a read, once the log is read to its end; see `DirectLane`. */
  direct?: DirectWork;
  /** Clock in milliseconds, for specs. */
  now?: () => number;
}

export interface DirectWork {
  hasWork(): boolean;
  /** Returns false when the messages are left to the log. */
  run(): Promise<boolean>;
  /** Drops the waiting messages, because the log is read now and holds them. */
  drop(): void;
}

interface Reading {
  /** Number of wake-ups before the read began. */
  wakes: number;
  found: Promise<LogRead>;
}

/** Milliseconds between two log lines about a topic that has no follower. */
const TELL_AGAIN_AFTER_MS = 10_000;

/** Milliseconds between reads of messages that an older transaction holds back. */
const HELD_DELAYS_MS = [1, 2, 5, 10, 25, 50, 100, 250];

/**
 * A reader of one topic's log, which keeps its position.
 *
 * States: standing by (no lease), behind (reading and processing), caught up (sleeping), closed.
 * - It is behind at first, when woken, and after each sleep. It is caught up when it has read to
 *   the end and was not woken meanwhile. Only then it takes direct work, so direct work never
 *   overtakes the log.
 * - The position is stored after a batch is processed, so a crash in between causes a repetition.
 * - While a full batch is processed, the next one is read, never more.
 * - When the lease is lost, the current batch is finished. Later it continues from the stored
 *   position, wherever that is.
 * - If another process moved the stored position in spite of the lease, it continues from there.
 */
export class LogFollower {
  private readonly stopping = new AbortController();
  private readonly wakeUp = new WakeUp();
  private finished: Promise<void> = Promise.resolve();
  private held = 0;
  private wakes = 0;
  private isBehind = true;
  private isFollowing = false;
  private position: LogPosition | undefined;
  /** A running call that stores the position; see `moveTo`. */
  private storing: Promise<void> | undefined;
  /** Whether the remembered position may be wrong. */
  private isStale = false;
  private toldAt = -Infinity;

  constructor(private readonly options: LogFollowerOptions) {}

  /** Aborted to end the pauses between tries. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.finished = this.live();
  }

  /** Signals that there may be something to read. */
  wake(): void {
    this.wakes += 1;
    this.isBehind = true;
    this.wakeUp.ring();
  }

  /** Signals that there is direct work. */
  nudge(): void {
    this.wakeUp.ring();
  }

  /** Whether this process holds the lease. */
  get isLive(): boolean {
    return this.isFollowing && !this.signal.aborted;
  }

  /** The position, if everything was read; otherwise undefined. */
  get caughtUpAt(): LogPosition | undefined {
    return this.isLive && !this.isBehind && !this.isStale ? this.position : undefined;
  }

  /**
   * Moves a follower that is caught up: everything up to `position` was handled. `stored` resolves
   * when the position is stored.
   */
  moveTo(position: LogPosition, stored: Promise<boolean>): void {
    this.position = position;
    const storing = stored
      .catch(() => false)
      .then((isStored) => {
        if (!isStored) this.loadAnew();
        if (this.storing === storing) this.storing = undefined;
      });
    this.storing = storing;
  }

  /** Reloads: the stored position was changed outside this process. */
  private loadAnew(): void {
    this.isStale = true;
    this.wakeUp.ring();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.wakeUp.ring();
    await this.finished;
    await this.storing;
  }

  private async live(): Promise<void> {
    const { name, leases } = this.options;
    for (let failures = 0; !this.signal.aborted;) {
      let lease: Lease | undefined;
      try {
        lease = await leases.acquire(name, this.signal);
        await this.follow(lease, () => (failures = 0));
      } catch (error) {
        if (error instanceof Stopped) break;
        this.tell(error, failures);
        await pause(awayDelayMs(failures++), this.signal).catch(() => undefined);
      } finally {
        if (lease) await leases.release(lease);
      }
    }
  }

  private tell(error: unknown, failures: number): void {
    const { name, logger, now = () => performance.now() } = this.options;
    if (failures > 0 && now() - this.toldAt < TELL_AGAIN_AFTER_MS) return;
    this.toldAt = now();
    logger.warn({ log: name, err: error }, 'cannot follow a log');
  }

  /** Follows until the lease is lost or the loaded position is invalid. */
  private async follow(lease: Lease, onProgress: () => void): Promise<void> {
    const { load, asideFirst, direct } = this.options;
    await this.storing;
    this.isStale = false;
    this.isBehind = true;
    this.position = await load();
    this.isFollowing = true;
    let ahead: Reading | undefined;
    try {
      while (!this.signal.aborted && !lease.lost && !this.isStale) {
        await asideFirst?.();
        if (!ahead && !this.isBehind) {
          if (!direct?.hasWork()) await this.rest(false);
          else if (!(await direct.run())) this.wake();
          continue;
        }
        direct?.drop();
        await this.storing;
        const reading: Reading = ahead ?? this.begin(this.position);
        const read = await reading.found;
        onProgress();
        const next = await this.take(read, reading.wakes);
        if (next === 'stale') return;
        ahead = next;
      }
    } finally {
      this.isFollowing = false;
      direct?.drop();
    }
  }

  /** Processes the entries. Returns the read of the next ones, if it has begun. */
  private async take(
    { entries, held }: LogRead,
    wakesBefore: number,
  ): Promise<Reading | 'stale' | undefined> {
    const { process, advance, batchSizeMax } = this.options;
    const from = this.position as LogPosition;
    const last = entries.at(-1);
    let ahead: Reading | undefined;
    if (last) {
      this.held = 0;
      if (entries.length === batchSizeMax) ahead = this.begin(last.at);
      await process(entries);
      if (!(await advance(from, last.at))) return 'stale';
      this.position = last.at;
    }
    // These were the last entries, and the next commit wakes the reader (see `OutboxReader`).
    if (!held && !ahead && wakesBefore === this.wakes) this.isBehind = false;
    else if (held && !last) await this.rest(true);
    return ahead;
  }

  private begin(after: LogPosition): Reading {
    const found = this.read(after);
    // The result is used later. Until then a failure must not count as unhandled.
    found.catch(() => undefined);
    return { wakes: this.wakes, found };
  }

  private read(after: LogPosition): Promise<LogRead> {
    return this.options.read(after, this.options.batchSizeMax);
  }

  /**
   * Sleeps until a ring. While messages are held back, no ring will come, so it asks again soon.
   */
  private async rest(held: boolean): Promise<void> {
    if (held) {
      const step = Math.min(this.held, HELD_DELAYS_MS.length - 1);
      this.held += 1;
      await this.wakeUp.sleep(HELD_DELAYS_MS[step] as number);
    } else {
      this.held = 0;
      const isRung = await this.wakeUp.sleep(this.options.sleepMs());
      if (!isRung) this.isBehind = true;
    }
  }
}
