import { Inject, Injectable } from '@nestjs/common';
import { type Clock, IDEMPOTENCY_KEY_MS } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { unlessHeld } from '@watchword/postgres';
import { EVENTS_KEPT_MS } from './retention.policy.js';
import { EventRetentionStore } from './retention.store.js';

export const RETENTION_EVERY_MS = 10 * 60_000;
/** Small enough not to slow deliveries. */
const ROWS_PER_STATEMENT = 1_000;
/** Milliseconds. A row in a partition for this long was not dropped with one, so it is deleted. */
const PARTITION_LATE_MS = 14 * 24 * 3_600_000;

/**
 * Deletes data older than can be read. Deliveries and their attempts are dropped with the partition
 * of their week, after its last day. Everything else is deleted in small statements, and so are
 * deliveries that outlived their week: they are in the default partition, or beside one that is
 * still running.
 */
@Injectable()
export class EventRetentionJob {
  private isStopped = false;

  constructor(
    private readonly store: EventRetentionStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Ends a run after the current statement. */
  stop(): void {
    this.isStopped = true;
  }

  async makePartitions(): Promise<void> {
    const now = new Date(this.clock.now());
    await unlessHeld(() => this.store.makePartitions(now));
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    const before = new Date(now - EVENTS_KEPT_MS);
    await this.untilFew(() => this.store.purgeEvents(before, ROWS_PER_STATEMENT));
    await this.untilFew(() => this.store.purgeRecoveries(before, ROWS_PER_STATEMENT));
    await this.untilFew(() => this.store.purgeSilences(before, ROWS_PER_STATEMENT));
    const keysBefore = new Date(now - IDEMPOTENCY_KEY_MS);
    await this.untilFew(() => this.store.purgeKeys(keysBefore, ROWS_PER_STATEMENT));
    await unlessHeld(() => this.dropPartitions(before));
    const late = new Date(before.getTime() - PARTITION_LATE_MS);
    await this.untilFew(() => this.store.purgeDeliveries(late, ROWS_PER_STATEMENT));
  }

  private async dropPartitions(before: Date): Promise<void> {
    let dropped: string | null = null;
    do {
      dropped = await this.store.dropPartition(before);
      if (dropped) this.logger.info({ partition: dropped }, 'delivery partition dropped');
    } while (dropped !== null && !this.isStopped);
  }

  private async untilFew(purge: () => Promise<number>): Promise<void> {
    while (!this.isStopped && (await purge()) === ROWS_PER_STATEMENT);
  }
}
