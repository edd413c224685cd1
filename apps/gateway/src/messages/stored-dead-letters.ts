import { Inject, Injectable } from '@nestjs/common';
import type { DeadLetterOffice } from '@watchword/bus';
import { ALL_TOPICS } from '@watchword/contracts';
import { gauge, type Logger } from '@watchword/observability';
import { DEAD_LETTERS, every, LOGGER, type Periodic } from '@watchword/platform';

/**
 * Milliseconds. Over Kafka letters are counted by reading them, over the database with one
 * statement.
 */
const COUNT_EVERY_MS = 30_000;
const COUNTED_MAX = 1_000;

const showHeld = gauge(
  'watchword_dead_letters_held',
  'Dead letters that are held now and not asked for again, to 1 000 of a topic; counted twice a minute, all gateways say the same.',
  ['topic', 'group'],
);

/** Keeps the metric of dead letters current. */
@Injectable()
export class StoredDeadLetters {
  private job: Periodic | undefined;

  constructor(
    @Inject(DEAD_LETTERS) private readonly office: DeadLetterOffice,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    void this.count();
    this.job = every(COUNT_EVERY_MS, 'count of dead letters', () => this.count(), this.logger);
  }

  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /**
   * Counts. While the bus is unavailable, which has its own metric, no number is shown. A topic
   * without letters is shown as 0, so that an alarm sees the first one.
   */
  private async count(): Promise<void> {
    const counts = await this.office.countDeadLetters(ALL_TOPICS, COUNTED_MAX).catch(() => null);
    showHeld.forget();
    if (counts === null) return;
    const held = new Set(counts.map(({ topic }) => topic));
    for (const { topic, group, count } of counts) showHeld({ topic, group }, count);
    for (const { name } of ALL_TOPICS) if (!held.has(name)) showHeld({ topic: name, group: '' }, 0);
  }
}
