import { crashPoint } from '@watchword/observability';

export interface PartitionOffset {
  topic: string;
  partition: number;
  /** Of the next message. */
  offset: string;
}

const retryDelayMs = 250;
/**
 * Between two commits. Each is a write of the broker's, and the next fetch waits behind it.
 */
const restMs = 100;

/**
 * Tells the group how far it is, now and then, with all that has been handled meanwhile.
 * The coordinator takes its time (it collects commits for some milliseconds itself), so nobody
 * waits for it: what a crash loses of it is delivered again.
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

  /** Until all is committed, or the coordinator cannot be reached. */
  async flush(): Promise<void> {
    this.flushing = true;
    if (this.resting && this.waiting.size > 0) this.commitNow();
    while (this.committing) await this.committing;
    this.flushing = false;
  }

  /** Another member may have the partitions by now. */
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
    // Lets those in that are handled in the same turn.
    await Promise.resolve();
    let goesWell = true;
    while (goesWell && this.waiting.size > 0) {
      goesWell = await this.commitWaiting();
      if (!this.flushing) break;
    }
    this.committing = undefined;
    // One that has failed is tried again in its own time.
    if (goesWell) this.rest();
  }

  private rest(): void {
    this.resting = setTimeout(() => {
      this.rested();
      if (this.waiting.size > 0) this.commitNow();
    }, restMs).unref();
  }

  /** False when it has to wait. */
  private async commitWaiting(): Promise<boolean> {
    const { generation, waiting: offsets } = this;
    this.waiting = new Map();
    try {
      crashPoint('kafka.offset.before-commit');
      await this.commit([...offsets.values()]);
      crashPoint('kafka.offset.after-commit');
    } catch (error) {
      // Refused to a former generation: committing it now would be in the name of this one.
      if (generation !== this.generation) return true;
      this.waiting = new Map([...offsets, ...this.waiting]);
      this.retry = setTimeout(() => this.begin(), retryDelayMs).unref();
      this.onFailure(error);
      return false;
    }
    return true;
  }
}

function nameOf({ topic, partition }: PartitionOffset): string {
  return `${topic} ${partition}`;
}
