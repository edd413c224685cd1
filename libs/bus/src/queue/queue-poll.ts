import type { Logger } from '@watchword/observability';

export interface QueuePollOptions {
  everyMs: number;
  poll: () => Promise<void>;
  logger: Logger;
}

/** Polls the queues: for what nobody delivered, and for what another process wrote. */
export class QueuePoll {
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();
  private closed = false;
  /** Whether the last poll failed. */
  hasFailed = false;

  constructor(private readonly options: QueuePollOptions) {}

  start(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => (this.polling = this.poll()), this.options.everyMs).unref();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.polling;
  }

  private async poll(): Promise<void> {
    const { poll, logger } = this.options;
    try {
      await poll();
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) logger.warn({ err: error }, 'cannot poll the queues');
      this.hasFailed = true;
    }
    this.start();
  }
}
