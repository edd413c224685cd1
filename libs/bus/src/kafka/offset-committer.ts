import { crashPoint } from '@watchword/observability';

export interface PartitionOffset {
  topic: string;
  partition: number;
  /** Of the next message. */
  offset: string;
}

const retryDelayMs = 250;

/**
 * Tells the group how far it is, one commit at a time, with all that has been handled meanwhile.
 * The coordinator takes its time (it collects commits for some milliseconds itself), so nobody
 * waits for it: what a crash loses of it is delivered again.
 */
export class OffsetCommitter {
  private waiting = new Map<string, PartitionOffset>();
  private committing: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;

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
    while (this.committing) await this.committing;
  }

  /** The partitions may be somebody else's by now. */
  forget(): void {
    clearTimeout(this.retry);
    this.waiting.clear();
  }

  private begin(): void {
    this.committing ??= this.commitAll().finally(() => (this.committing = undefined));
  }

  private async commitAll(): Promise<void> {
    // Lets those in that are handled in the same turn.
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const offsets = this.waiting;
      this.waiting = new Map();
      crashPoint('kafka-before-offset');
      try {
        await this.commit([...offsets.values()]);
      } catch (error) {
        this.waiting = new Map([...offsets, ...this.waiting]);
        this.retry = setTimeout(() => this.begin(), retryDelayMs).unref();
        this.onFailure(error);
        return;
      }
      crashPoint('kafka-after-offset');
    }
  }
}

function nameOf({ topic, partition }: PartitionOffset): string {
  return `${topic} ${partition}`;
}
