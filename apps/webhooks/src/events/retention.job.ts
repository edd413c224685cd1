import { Inject, Injectable } from '@nestjs/common';
import { type Clock, IDEMPOTENCY_KEY_MS } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, type Periodic } from '@watchword/platform';
import { EVENTS_KEPT_MS } from './retention.policy.js';
import { RetentionStore } from './retention.store.js';

const EVERY_MS = 10 * 60_000;
/** Small enough that deliveries do not notice. */
const ROWS_PER_STATEMENT = 1_000;

/** Deletes what is older than can be asked for, in small bites, deliveries before their events. */
@Injectable()
export class RetentionJob {
  private job: Periodic | undefined;
  private isStopped = false;

  constructor(
    private readonly store: RetentionStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.job = every(EVERY_MS, 'retention of events', () => this.run(), this.logger);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.job?.stop();
  }

  async run(): Promise<void> {
    const before = new Date(this.clock.now() - EVENTS_KEPT_MS);
    await this.untilFew(() => this.store.purgeDeliveries(before, ROWS_PER_STATEMENT));
    await this.untilFew(() => this.store.purgeEvents(before, ROWS_PER_STATEMENT));
    await this.untilFew(() => this.store.purgeRecoveries(before, ROWS_PER_STATEMENT));
    const keysBefore = new Date(this.clock.now() - IDEMPOTENCY_KEY_MS);
    await this.untilFew(() => this.store.purgeKeys(keysBefore, ROWS_PER_STATEMENT));
  }

  private async untilFew(purge: () => Promise<number>): Promise<void> {
    while (!this.isStopped && (await purge()) === ROWS_PER_STATEMENT);
  }
}
