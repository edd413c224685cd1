import type { Logger } from '@watchword/observability';
import type { MemoryRateLimiter, RateLimitSnapshot } from '@watchword/rate-limit';
import type { CounterStore } from './counter.store.js';

/** At most this long ago was the last snapshot, as long as it is quick to take. */
const EVERY_MS = 1_000;
/** Snapshots may take one part in so many of the time. */
const SHARE = 100;

/**
 * Counters live in memory; a copy of them in the database lets a restart go on where the last
 * process stopped, so that no limit admits twice. After a crash the copy is as old as the last
 * snapshot: a second, or longer where there are so many counters that copying them every second
 * would cost too much.
 */
export class KeptCounters {
  private timer: NodeJS.Timeout | undefined;
  private saving: Promise<void> = Promise.resolve();
  private hadWindows = false;

  constructor(
    private readonly limiter: MemoryRateLimiter,
    private readonly store: CounterStore,
    private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.limiter.restore(await this.store.read());
    this.schedule(EVERY_MS);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.saving;
    await this.save();
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      const startedAt = performance.now();
      this.saving = this.save().then(() => {
        if (this.timer === undefined) return;
        this.schedule(Math.max(EVERY_MS, (performance.now() - startedAt) * SHARE));
      });
    }, delayMs).unref();
  }

  private async save(): Promise<void> {
    const windows: RateLimitSnapshot = this.limiter.snapshot();
    if (windows.length === 0 && !this.hadWindows) return;
    this.hadWindows = windows.length > 0;
    await this.store.write(windows).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'rate limit counters were not kept');
    });
  }
}
