import type { Logger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { unavailableDelayMs, pause } from '../consumer/batch-runner.js';

export interface QueueListenerOptions {
  url: string;
  logger: Logger;
  /** Called with the name of a topic that has new rows. */
  onRows: (topic: string) => void;
}

/** The channel on which the trigger of every queue notifies. The payload is the topic. */
const LISTEN = 'LISTEN watchword_message_queue';
const RECONNECT_DELAY_MAX_MS = 1_000;

/**
 * Listens for rows that their writers do not deliver themselves. Notifications only save time: they
 * are lost while the connection is, and do not pass a transaction pooler. Readers poll each second.
 */
export class QueueListener {
  private readonly stopping = new AbortController();
  private readonly life: Promise<void>;

  constructor(private readonly options: QueueListenerOptions) {
    this.life = this.live();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.life;
  }

  private async live(): Promise<void> {
    const { signal } = this.stopping;
    for (let tries = 0; !signal.aborted; tries += 1) {
      await this.listen(() => (tries = 0)).catch((error: unknown) =>
        this.options.logger.debug({ err: error }, 'no notifications of new messages'),
      );
      await pause(unavailableDelayMs(tries, RECONNECT_DELAY_MAX_MS), signal).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended. */
  private async listen(onConnected: () => void): Promise<void> {
    const { url, onRows } = this.options;
    const client = createClient({ url, applicationName: 'watchword-bus-listener' });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const end = () => void client.end().catch(() => undefined);
    try {
      await client.connect();
      client.on('notification', ({ payload }) => onRows(payload ?? ''));
      await client.query(LISTEN);
      onConnected();
      this.stopping.signal.addEventListener('abort', end, { once: true });
      if (!this.stopping.signal.aborted) await ended;
    } finally {
      this.stopping.signal.removeEventListener('abort', end);
      end();
    }
  }
}
