import type { Logger } from '@watchword/observability';
import type { WindowCount } from './listening-gateways.adapter.js';
import type { RedisConnection } from './redis-connection.adapter.js';
import { STRICT_NAME_BEGIN } from './script-calls.policy.js';

/** Keys that Redis reads in one call. It serves other callers in between. */
const LEARNED_AT_ONCE = 1_000;
const RESTORED_AT_ONCE = 500;

/** A window. Its end is a moment of this process's clock. */
export interface KnownWindow {
  key: string;
  count: number;
  endsAtMs: number;
}

export interface StrictWindowsOptions {
  redis: Pick<RedisConnection, 'memory' | 'pageOf' | 'restore'>;
  clock: { now(): number };
  logger: Logger;
  /**
   * Returns the strict windows that this gateway knows, without counts that it has not announced.
   */
  known: () => readonly KnownWindow[];
  onLearned: (learned: WindowCount) => void;
  /** Returns whether Redis refused, rather than being silent. */
  isRefusal: (error: unknown) => boolean;
}

/**
 * Knows strict windows before Redis becomes unavailable. A gateway that was not listening asks
 * Redis for all of them, and gateways write them back to a Redis that has lost its data.
 */
export class StrictWindows {
  private memory: string | undefined;
  private isBehind = true;
  private catchingUp: Promise<void> | undefined;
  private complaint = '';

  constructor(private readonly options: StrictWindowsOptions) {}

  /** Marks that counts were missed. */
  fallBehind(): void {
    this.isBehind = true;
  }

  /** Writes the missing counts to a Redis that has lost its data. */
  async remind(): Promise<void> {
    const memory = await this.options.redis.memory();
    if (this.memory !== undefined && memory !== this.memory) await this.restore();
    this.memory = memory;
  }

  /**
   * Catches up, one call at a time. A failure is retried by the next call; its reason is logged
   * once.
   */
  catchUp(): Promise<void> {
    this.catchingUp ??= this.remindAndLearn()
      .then(
        () => (this.complaint = ''),
        (error: unknown) => this.complain(error),
      )
      .then(() => (this.catchingUp = undefined));
    return this.catchingUp;
  }

  private async remindAndLearn(): Promise<void> {
    await this.remind();
    if (this.isBehind) await this.learn();
  }

  /** Logs a refusal. Silence ends by itself and is reported elsewhere; a refusal does not end. */
  private complain(error: unknown): void {
    const complaint = String(error);
    if (!this.options.isRefusal(error) || complaint === this.complaint) return;
    this.complaint = complaint;
    const sentence = 'limits by destination are not known here, should Redis go away';
    this.options.logger.warn({ err: error }, sentence);
  }

  private async learn(): Promise<void> {
    const { redis, clock, onLearned } = this.options;
    this.isBehind = false;
    try {
      let cursor = '0';
      do {
        const askedAtMs = clock.now();
        const page = await redis.pageOf(cursor, STRICT_NAME_BEGIN, LEARNED_AT_ONCE);
        const elapsedMs = clock.now() - askedAtMs;
        for (const { leftMs, ...window } of page.windows) {
          if (leftMs > elapsedMs) onLearned({ ...window, leftMs: leftMs - elapsedMs });
        }
        cursor = page.cursor;
      } while (cursor !== '0');
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }

  private async restore(): Promise<void> {
    const { known, redis, clock } = this.options;
    const windows = known().filter(({ count }) => count > 0);
    for (let from = 0; from < windows.length; from += RESTORED_AT_ONCE) {
      const nowMs = clock.now();
      const some = windows
        .slice(from, from + RESTORED_AT_ONCE)
        .map(({ key, count, endsAtMs }) => ({ key, count, leftMs: endsAtMs - nowMs }))
        .filter(({ leftMs }) => leftMs >= 1);
      if (some.length > 0) await redis.restore(some);
    }
  }
}
