import { crashPoint } from '@watchword/observability';

export interface PartitionOffset {
  topic: string;
  partition: number;
  /** Offset of the next message. */
  offset: string;
}

const RETRY_DELAY_MS = 250;
/**
 * Milliseconds between two commits. A commit is a write of the broker, and the next fetch waits for
 * it.
 */
const REST_MS = 100;

/**
 * Commits offsets from time to time, all that was handled since together. The coordinator collects
 * commits for some milliseconds itself, so no caller waits for it. Commits lost in a crash lead to
 * redelivery.
 */
export class OffsetCommitter {
  private waiting = new Map<string, PartitionOffset>();
  private committing: Promise<void> | undefined;
  private resting: NodeJS.Timeout | undefined;
  private flushing = false;
  private retry: NodeJS.Timeout | undefined;
  private generation = 0;

  constructor(
    private readonly commit: (offsets: PartitionOffset[]) => Promise<void>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  handled(one: PartitionOffset): void {
    this.waiting.set(nameOf(one), one);
    this.begin();
  }

  /** Resolves when all is committed, or the coordinator is unreachable. */
  async flush(): Promise<void> {
    this.flushing = true;
    if (this.resting && this.waiting.size > 0) this.commitNow();
    while (this.committing) await this.committing;
    this.flushing = false;
  }

  /** Drops offsets, because another member may own the partitions now. */
  forget(): void {
    this.generation += 1;
    clearTimeout(this.retry);
    this.rested();
    this.waiting.clear();
  }

  private begin(): void {
    if (!this.resting) this.commitNow();
  }

  private commitNow(): void {
    this.rested();
    this.committing ??= this.commitAll();
  }

  private rested(): void {
    clearTimeout(this.resting);
    this.resting = undefined;
  }

  private async commitAll(): Promise<void> {
    // Includes offsets that are handled in the same turn.
    await Promise.resolve();
    let goesWell = true;
    while (goesWell && this.waiting.size > 0) {
      goesWell = await this.commitWaiting();
      if (!this.flushing) break;
    }
    this.committing = undefined;
    // A failed commit is retried on its own schedule.
    if (goesWell) this.rest();
  }

  private rest(): void {
    this.resting = setTimeout(() => {
      this.rested();
      if (this.waiting.size > 0) this.commitNow();
    }, REST_MS).unref();
  }

  /** Returns false when it must wait. */
  private async commitWaiting(): Promise<boolean> {
    const { generation, waiting: offsets } = this;
    this.waiting = new Map();
    try {
      crashPoint('kafka.offset.before-commit');
      await this.commit([...offsets.values()]);
      crashPoint('kafka.offset.after-commit');
    } catch (error) {
      // The coordinator refused them to a former generation. This generation must not commit them.
      if (generation !== this.generation) return true;
      this.waiting = new Map([...offsets, ...this.waiting]);
      this.retry = setTimeout(() => this.begin(), RETRY_DELAY_MS).unref();
      this.onFailure(error);
      return false;
    }
    return true;
  }
}

function nameOf({ topic, partition }: PartitionOffset): string {
  return `${topic} ${partition}`;
}
