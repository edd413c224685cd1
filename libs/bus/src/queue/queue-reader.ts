import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { OutgoingMessage } from '../bus.port.js';
import { unavailableDelayMs, pause } from '../consumer/batch-runner.js';
import type { QueueTable } from './queue-table.js';
import { WakeUp } from './wake-up.js';

export interface QueueReaderOptions {
  table: QueueTable;
  topic: Topic;
  reader: string;
  batchSizeMax: number;
  /** Milliseconds after which another process may claim what this one has not handled. */
  leaseMs: number;
  logger: Logger;
  /**
   * Handles a batch completely. Returns the ids of messages that stay in the table, as dead letters.
   */
  handle: (batch: readonly OutgoingMessage[], signal: AbortSignal) => Promise<ReadonlySet<string>>;
}

/** Most messages that wait in memory. More of them stay in the table. */
const WAITING_MAX = 1_000;
/** Milliseconds until it polls again for messages that are due but cannot be claimed yet. */
const BLOCKED_MS = 50;

/**
 * One reader of one topic's messages in a queue, batch by batch. Messages come from the process
 * that wrote them, or from the table, where `poll` was called; then none is taken from the writer
 * until the table holds nothing that is due, which keeps the order of each key.
 */
export class QueueReader {
  private waiting: OutgoingMessage[] = [];
  /** Ids of messages that wait, are being handled or are being deleted. */
  private readonly ids = new Set<string>();
  private mustPoll = true;
  private mustRelease = false;
  private caughtUp = false;
  private deleting: Promise<unknown> = Promise.resolve();
  private readonly wakeUp = new WakeUp();
  private readonly stopping = new AbortController();
  private readonly life: Promise<void>;

  constructor(private readonly options: QueueReaderOptions) {
    this.life = this.live();
  }

  /** Whether messages may be delivered in the process. */
  get isCaughtUp(): boolean {
    return this.caughtUp && this.waiting.length < WAITING_MAX;
  }

  /** Requests a poll of the table. */
  poll(): void {
    this.caughtUp = false;
    this.mustPoll = true;
    this.wakeUp.notify();
  }

  /** Requests a poll also for messages that are due later, but that this process does not have. */
  pollForLost(): void {
    this.mustRelease = true;
    this.poll();
  }

  /** Takes committed messages. Returns false where they are left to the table. */
  offer(messages: readonly OutgoingMessage[]): boolean {
    if (this.stopping.signal.aborted) return false;
    if (!this.caughtUp || this.waiting.length + messages.length > WAITING_MAX) {
      this.caughtUp = false;
      void this.release(messages).then(() => this.poll());
      return false;
    }
    this.add(messages, (fresh) => this.waiting.push(...fresh));
    return true;
  }

  /** Begins with what waits. */
  wake(): void {
    this.wakeUp.notify();
  }

  /** Resolves when the batch in hand is done. Lets others have the rest. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.wakeUp.notify();
    await this.life;
    await this.release(this.waiting.splice(0));
    await this.deleting;
  }

  private async live(): Promise<void> {
    const { signal } = this.stopping;
    for (let tries = 0; !signal.aborted;) {
      try {
        if (this.waiting.length === 0 && this.mustPoll) await this.claim();
        const batch = this.waiting.splice(0, this.options.batchSizeMax);
        if (batch.length > 0) await this.handle(batch);
        else if (!this.mustPoll) await this.wakeUp.wait();
        tries = 0;
      } catch (error) {
        if (signal.aborted) return;
        const { topic, reader: group, logger } = this.options;
        if (tries === 0)
          logger.warn({ topic: topic.name, group, err: error }, 'messages not handled, retrying');
        await pause(unavailableDelayMs(tries), signal).catch(() => undefined);
        tries += 1;
        this.poll();
      }
    }
  }

  private async claim(): Promise<void> {
    const { table, topic, reader, batchSizeMax, leaseMs } = this.options;
    // A message that is handled and not deleted yet would hold up the next ones of its key.
    await this.deleting;
    this.mustPoll = false;
    if (this.mustRelease) await table.releaseOthers(topic, reader, [...this.ids]);
    this.mustRelease = false;
    const claimed = await table.claim(topic, reader, batchSizeMax, leaseMs);
    // Those that were delivered meanwhile were written later.
    this.add(claimed, (fresh) => this.waiting.unshift(...fresh));
    if (claimed.length > 0) {
      this.mustPoll = true;
    } else if ((await table.due([topic.name], [reader])).length > 0) {
      this.mustPoll = true;
      await pause(BLOCKED_MS, this.stopping.signal);
    } else if (!this.mustPoll) {
      this.caughtUp = true;
    }
  }

  private async handle(batch: readonly OutgoingMessage[]): Promise<void> {
    const { handle } = this.options;
    try {
      const kept = await handle(batch, this.stopping.signal);
      const done = batch.map(({ id }) => id).filter((id) => !kept.has(id));
      for (const id of kept) this.ids.delete(id);
      this.deleting = Promise.all([this.deleting, this.delete(done)]);
    } catch (error) {
      await this.release(batch);
      throw error;
    }
  }

  private add(messages: readonly OutgoingMessage[], to: (fresh: OutgoingMessage[]) => void): void {
    const fresh: OutgoingMessage[] = [];
    for (const message of messages) {
      if (this.ids.has(message.id)) continue;
      this.ids.add(message.id);
      fresh.push(message);
    }
    to(fresh);
  }

  private forget(ids: readonly string[]): void {
    for (const id of ids) this.ids.delete(id);
  }

  /** Never rejects. */
  private async delete(ids: readonly string[]): Promise<void> {
    const { table, topic, reader, logger } = this.options;
    try {
      await table.delete(topic, reader, ids);
    } catch (error) {
      const about = { topic: topic.name, group: reader, err: error };
      logger.warn(about, 'handled messages will come again');
    }
    this.forget(ids);
  }

  /** Where that fails, they can be claimed after their lease. */
  private async release(messages: readonly OutgoingMessage[]): Promise<void> {
    const { table, topic, reader } = this.options;
    const ids = messages.map(({ id }) => id);
    this.forget(ids);
    await table.release(topic, reader, ids).catch(() => undefined);
  }
}
