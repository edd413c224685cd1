import type { Logger } from '@watchword/observability';
import { awayDelayMs, pause, Stopped } from '../consumer/batch-runner.js';
import type { Lease, Leases } from './leases.js';
import type { LogEntry, LogPosition, LogRead } from './outbox-reader.js';
import { WakeUp } from './wake-up.js';

export interface LogFollowerOptions {
  /** The holder of the lease of this name follows; the others stand by. */
  name: string;
  leases: Leases;
  logger: Logger;
  batchSizeMax: number;
  /** How long to sleep without a bell: short while notifications cannot reach us. */
  sleepMs: () => number;
  load: () => Promise<LogPosition>;
  read: (after: LogPosition, limit: number) => Promise<LogRead>;
  /** Rejects with `Stopped` when it was interrupted; then the entries come again. */
  process: (entries: readonly LogEntry[]) => Promise<void>;
  /**
   * Stores that all up to there has been processed; false when the stored position is no longer
   * where we took it up, which leaves it as it is.
   */
  advance: (from: LogPosition, to: LogPosition) => Promise<boolean>;
  /** Something else that is to be done now and then, between two batches. */
  asideFirst?: () => Promise<void>;
  /** Messages that are handed over without a read, once the log is read to its end; see `DirectLane`. */
  direct?: DirectWork;
  /** For specs, of milliseconds. */
  now?: () => number;
}

export interface DirectWork {
  hasWork(): boolean;
  /** False: it is to be found in the log. */
  run(): Promise<boolean>;
  /** The log is read now, and has what waits here. */
  drop(): void;
}

interface Reading {
  /** How often there had been something to read when it began. */
  wakes: number;
  found: Promise<LogRead>;
}

/** A log without a follower is logged until it has one. */
const tellAgainAfterMs = 10_000;

/** Between readings of messages that an older transaction holds back. */
const heldDelaysMs = [1, 2, 5, 10, 25, 50, 100, 250];

/**
 * The way of a reader through one topic's log; it remembers its position.
 *
 * States: standing by (no lease), behind (reading and processing), caught up (sleeping), closed.
 * - It is behind at first, when woken, and when it has slept; caught up, when it has read to the end and was not
 *   woken meanwhile. Only then it takes direct work, so that this never overtakes what is in the log.
 * - The position is stored after a batch is processed: a crash in between is a repetition.
 * - While a full batch is processed, the next one is read; never more than that.
 * - Losing the lease while processing changes nothing for the batch in hand; then we stand by again
 *   and later go on from the stored position, wherever others have taken it.
 * - Should others have moved the stored position although the lease is ours, we go on from there.
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
  /** Another call stores the position; see `moveTo`. */
  private storing: Promise<void> | undefined;
  /** What we remember may be of no use any more. */
  private isStale = false;
  private toldAt = -Infinity;

  constructor(private readonly options: LogFollowerOptions) {}

  /** Aborted to stop the waiting between tries. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.finished = this.live();
  }

  /** There may be something to read. */
  wake(): void {
    this.wakes += 1;
    this.isBehind = true;
    this.wakeUp.ring();
  }

  /** There is direct work. */
  nudge(): void {
    this.wakeUp.ring();
  }

  /** Whether this process holds the lease. */
  get isLive(): boolean {
    return this.isFollowing && !this.signal.aborted;
  }

  /** How far it has come, where it has read all that there is to read. */
  get caughtUpAt(): LogPosition | undefined {
    return this.isLive && !this.isBehind && !this.isStale ? this.position : undefined;
  }

  /** For one that is caught up: all up to there was handled, and `stored` resolves when that is stored. */
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

  /** The stored position, or the ids of the rows, were changed behind our back. */
  loadAnew(): void {
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
    if (failures > 0 && now() - this.toldAt < tellAgainAfterMs) return;
    this.toldAt = now();
    logger.warn({ log: name, err: error }, 'cannot follow a log');
  }

  /** Until the lease is lost, or what was loaded is of no use any more. */
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

  /** Processes what was read; answers the reading of what follows, where that has begun. */
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
    // These were all there are, and the next commit wakes (see `OutboxReader`).
    if (!held && !ahead && wakesBefore === this.wakes) this.isBehind = false;
    else if (held && !last) await this.rest(true);
    return ahead;
  }

  private begin(after: LogPosition): Reading {
    const found = this.read(after);
    // Looked at when its turn comes; until then a failure is not an unhandled one.
    found.catch(() => undefined);
    return { wakes: this.wakes, found };
  }

  private read(after: LogPosition): Promise<LogRead> {
    return this.options.read(after, this.options.batchSizeMax);
  }

  /**
   * Nothing to do: until rung; when messages are held back, no bell will ring, so ask again soon.
   */
  private async rest(held: boolean): Promise<void> {
    if (held) {
      const step = Math.min(this.held, heldDelaysMs.length - 1);
      this.held += 1;
      await this.wakeUp.sleep(heldDelaysMs[step] as number);
    } else {
      this.held = 0;
      const isRung = await this.wakeUp.sleep(this.options.sleepMs());
      if (!isRung) this.isBehind = true;
    }
  }
}
