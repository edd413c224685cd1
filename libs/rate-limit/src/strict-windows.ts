import type { HeardCount } from './listening-gateways.adapter.js';
import type { Counter } from './rate-limit.port.js';
import type { RedisConnection } from './redis-connection.adapter.js';

/** By their names they are found among all that Redis keeps. */
const nameBegin = 'strict:';
/** Redis looks at so many keys at once, and serves others in between. */
const learnedAtOnce = 1_000;
const restoredAtOnce = 500;

/** As all gateways name it. */
export function named(counter: Counter): Counter {
  return counter.strict ? { ...counter, key: nameBegin + counter.key } : counter;
}

export interface StrictWindowsOptions {
  redis: RedisConnection;
  /** All windows that this gateway knows of. */
  known: () => readonly HeardCount[];
  onLearned: (learned: HeardCount) => void;
}

/**
 * What must be known although Redis goes away has to be known before: a gateway that was not listening asks Redis
 * for all strict windows, and a Redis that has lost its memory is told them by all who know them.
 */
export class StrictWindows {
  private memory: string | undefined;
  private isBehind = true;

  constructor(private readonly options: StrictWindowsOptions) {}

  /** Counts were not heard for a while. */
  fallBehind(): void {
    this.isBehind = true;
  }

  async catchUp(): Promise<void> {
    const memory = await this.options.redis.memory();
    if (this.memory !== undefined && memory !== this.memory) await this.restore();
    this.memory = memory;
    if (this.isBehind) await this.learn();
  }

  private async learn(): Promise<void> {
    this.isBehind = false;
    try {
      let cursor = '0';
      do {
        const page = await this.options.redis.pageOf(cursor, nameBegin, learnedAtOnce);
        for (const window of page.windows) this.options.onLearned(window);
        cursor = page.cursor;
      } while (cursor !== '0');
    } catch (error) {
      this.isBehind = true;
      throw error;
    }
  }

  private async restore(): Promise<void> {
    const { known, redis } = this.options;
    const windows = known().filter(({ key, count }) => count > 0 && key.startsWith(nameBegin));
    for (let from = 0; from < windows.length; from += restoredAtOnce) {
      await redis.restore(windows.slice(from, from + restoredAtOnce));
    }
  }
}
