import type { Logger } from '@watchword/observability';
import { awayDelayMs, pause, Stopped } from './batch-runner.js';
import type { Lease, Leases } from './leases.js';
import type { LogEntry, LogPosition, LogRead } from './outbox-reader.js';
import { WakeUp } from './wake-up.js';

export interface LogFollowerOptions {
  /** Whoever holds the lease of this name follows; the others stand by. */
  name: string;
  leases: Leases;
  logger: Logger;
  batchSizeMax: number;
  /** How long to sleep when nobody rings: short while notifications cannot reach us. */
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
  /** For specs, of milliseconds. */
  now?: () => number;
}

/** A log that is not followed is told of for as long as it is not. */
const tellAgainAfterMs = 10_000;

/** Between readings of messages that an older transaction holds back. */
const heldDelaysMs = [1, 2, 5, 10, 25, 50, 100, 250];

/**
 * The way through one topic's log of somebody who remembers how far it got.
 *
 * States: standing by (no lease), reading, processing, sleeping, closed.
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
    this.wakeUp.ring();
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
    const { load, process, advance, asideFirst, batchSizeMax } = this.options;
    this.isStale = false;
    let position = await load();
    let ahead: Promise<LogRead> | undefined;
    while (!this.signal.aborted && !lease.lost && !this.isStale) {
      await asideFirst?.();
      const { entries, held } = await (ahead ?? this.read(position));
      ahead = undefined;
      onProgress();
      const last = entries.at(-1);
      if (!last) {
        await this.rest(held);
        continue;
      }
      this.held = 0;
      const from = position;
      position = last.at;
      if (entries.length === batchSizeMax) ahead = this.read(position);
      // Looked at when its turn comes; until then a failure is not an unhandled one.
      ahead?.catch(() => undefined);
      await process(entries);
      if (!(await advance(from, position))) return;
      // These were all there were, and the next commit rings (see `OutboxReader`).
      if (!held && !ahead) await this.rest(false);
    }
  }

  private read(after: LogPosition): Promise<LogRead> {
    return this.options.read(after, this.options.batchSizeMax);
  }

  /**
   * Nothing to do: until rung; when messages are held back, nobody will ring, so ask again soon.
   */
  private async rest(held: boolean): Promise<void> {
    if (held) {
      const step = Math.min(this.held, heldDelaysMs.length - 1);
      this.held += 1;
      await this.wakeUp.sleep(heldDelaysMs[step] as number);
    } else {
      this.held = 0;
      await this.wakeUp.sleep(this.options.sleepMs());
    }
  }
}
