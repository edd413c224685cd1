import type { Logger } from '@watchword/observability';

/** Where something was written, the next look comes so many times sooner: a handler writes what others read. */
const SOONER = 4;

export interface OutboxLookOptions {
  everyMs: number;
  /** Looks at the tables. Returns whether to look again soon. */
  look: () => Promise<boolean>;
  logger: Logger;
}

/** Looks at the outboxes again and again: for what was not handed over, and for what others wrote. */
export class OutboxLook {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private closed = false;
  /** Whether the last look failed. */
  hasFailed = false;

  constructor(private readonly options: OutboxLookOptions) {}

  start(): void {
    this.again(true);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private again(soon: boolean): void {
    if (this.closed) return;
    const { everyMs } = this.options;
    const delayMs = soon ? everyMs / SOONER : everyMs;
    this.timer = setTimeout(() => (this.looking = this.look()), delayMs);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const { look, logger } = this.options;
    let soon = true;
    try {
      soon = await look();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) logger.warn({ err: error }, 'cannot look at the outboxes');
      this.hasFailed = true;
    }
    this.again(soon);
  }
}
