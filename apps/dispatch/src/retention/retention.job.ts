import { Inject, Injectable } from '@nestjs/common';
import { RetentionSettings } from '@watchword/config';
import { type Clock, SEND_AT_DAYS_MAX } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER } from '@watchword/platform';
import { unlessHeld } from '@watchword/postgres';
import { UsageJob } from '../usage/usage.job.js';
import { RetentionStore, type Walk } from './retention.store.js';

export const RETENTION_EVERY_MS = 10 * 60_000;
/** Small enough not to slow sends. */
const ROWS_PER_STATEMENT = 1_000;
/** Milliseconds of one span. A walk stores its progress after each. */
const SPAN_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Quiet hours leave some time of each week open. */
const QUIET_DAYS_MAX = 7;
/** A month and a day: the partition of a message of that age should be gone. */
const PARTITION_DAYS = 32;

/**
 * Deletes the texts of old SMS, and later whole records. Messages and their attempts go with the
 * partition of their month, which is dropped after its last day; the rest is deleted in small
 * statements. So are messages that outlive their month: they are in the first partition,
 * in the default one, or beside a message that waits.
 *
 * One replica at a time has the turn and renews it after each statement. A dead process's turn is
 * free five minutes later, and the next run continues where it stopped.
 *
 * Texts are found along the ids of their messages. A message can be sent up to 30 days after it got
 * its id, so a second walk follows the first by that time, and a third one those that then wait for
 * the end of quiet hours.
 */
@Injectable()
export class RetentionJob {
  private isStopped = false;

  constructor(
    private readonly store: RetentionStore,
    private readonly settings: RetentionSettings,
    @Inject(UsageJob) private readonly usage: Pick<UsageJob, 'run'>,
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
    if (!(await this.store.takeTurn(new Date(now), new Date(now - RETENTION_EVERY_MS / 2)))) return;
    const { retentionContentDays, retentionMessagesDays } = this.settings;
    const contentsMs = now - retentionContentDays * DAY_MS;
    await this.walk('retention-content', contentsMs, contentsMs);
    const scheduledMs = contentsMs - SEND_AT_DAYS_MAX * DAY_MS;
    await this.walk('retention-scheduled-content', scheduledMs, contentsMs);
    const delayedMs = scheduledMs - QUIET_DAYS_MAX * DAY_MS;
    await this.walk('retention-delayed-content', delayedMs, contentsMs);
    const before = new Date(now - retentionMessagesDays * DAY_MS);
    // The roll-ups outlive the messages, so they are made first. Later changes no longer count.
    while (!this.isStopped && (await this.usage.run()));
    if (this.isStopped) return;
    await this.store.reach('retention-records', new Date(before));
    await unlessHeld(() => this.dropPartitions(before));
    const late = new Date(before.getTime() - PARTITION_DAYS * DAY_MS);
    await this.untilFew(() => this.store.purge('messages', late, ROWS_PER_STATEMENT));
    await this.untilFew(() => this.store.purge('emails', before, ROWS_PER_STATEMENT));
  }

  private async dropPartitions(before: Date): Promise<void> {
    let dropped: string | null = null;
    do {
      dropped = await this.store.dropPartition(before);
      if (dropped) this.logger.info({ partition: dropped }, 'message partition dropped');
      await this.store.keepTurn(new Date(this.clock.now()));
    } while (dropped !== null && !this.isStopped);
  }

  /** Deletes the texts of messages accepted until `untilMs` and sent before `sentBeforeMs`. */
  private async walk(walk: Walk, untilMs: number, sentBeforeMs: number): Promise<void> {
    const reached = await this.store.reached(walk);
    const sentBefore = new Date(sentBeforeMs);
    let fromMs = await this.store.firstMs(reached?.getTime() ?? 0);
    while (fromMs !== null && fromMs < untilMs && !this.isStopped) {
      const span = { fromMs, toMs: Math.min(fromMs + SPAN_MS, untilMs) };
      await this.untilFew(() => this.store.expireContents(span, sentBefore, ROWS_PER_STATEMENT));
      if (!this.isStopped) await this.store.reach(walk, new Date(span.toMs));
      fromMs = await this.store.firstMs(span.toMs);
    }
  }

  private async untilFew(change: () => Promise<number>): Promise<void> {
    let changed = ROWS_PER_STATEMENT;
    while (!this.isStopped && changed === ROWS_PER_STATEMENT) {
      changed = await change();
      await this.store.keepTurn(new Date(this.clock.now()));
    }
  }
}
