import { OpenItems } from '@watchword/batching';
import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { IncomingMessage, OutgoingMessage, SubscriptionOptions } from '../bus.port.js';
import { reasonOf } from '../consumer/batch-runner.js';
import { readWritten } from '../consumer/read-message.js';
import { QueueReader } from '../queue/queue-reader.js';
import type { QueueTable } from '../queue/queue-table.js';
import { groupHandler } from './group-handler.js';

export interface GroupConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  canWait: SubscriptionOptions['canWait'];
  /** Milliseconds for which a message waits for the next one, where it can. */
  waitMs: number;
  leaseMs: number;
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  table: QueueTable;
  logger: Logger;
}

/** Most batches of messages without a row that are handled at a time. More of them get rows. */
const DIRECT_MAX = 1_000;

/** One group's consumer of one topic, in this process. */
export class GroupConsumer {
  readonly topic: Topic;
  private readonly reader: QueueReader;
  /** Batches of messages without a row that are being handled; see `PostgresBusOptions.direct`. */
  private readonly direct = new OpenItems<Promise<boolean>>();
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupConsumerOptions) {
    this.topic = options.topic;
    const handle = groupHandler(options);
    this.reader = new QueueReader({ ...options, reader: options.group, handle });
  }

  get group(): string {
    return this.options.group;
  }

  get isCaughtUp(): boolean {
    return this.reader.isCaughtUp;
  }

  poll(): void {
    this.reader.poll();
  }

  pollForLost(): void {
    this.reader.pollForLost();
  }

  /** Takes messages that this process has committed. */
  deliver(messages: readonly OutgoingMessage[]): void {
    if (!this.reader.offer(messages)) return;
    if (this.canWait(messages)) this.waiting ??= this.wakeLater();
    else this.wake();
  }

  /**
   * Handles messages without a row, beside all others, because they may come in any order. Resolves
   * with whether they were handled; those that were not need rows.
   */
  async handleDirectly(messages: readonly OutgoingMessage[]): Promise<boolean> {
    if (this.direct.size >= DIRECT_MAX) return false;
    const handling = this.isHandled(messages);
    const place = this.direct.add(handling);
    const isHandled = await handling;
    this.direct.remove(place);
    return isHandled;
  }

  async close(): Promise<void> {
    clearTimeout(this.waiting);
    await this.reader.close();
    await Promise.all(this.direct);
  }

  private wakeLater(): NodeJS.Timeout {
    return setTimeout(() => this.wake(), this.options.waitMs).unref();
  }

  private wake(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.reader.wake();
  }

  /** Returns whether the messages may wait. A message that cannot be parsed may not. */
  private canWait(messages: readonly OutgoingMessage[]): boolean {
    const { canWait, topic } = this.options;
    if (canWait === undefined) return false;
    return messages.every((one) => {
      const { message, problem } = readWritten(topic, one);
      return problem === undefined && canWait(message.payload);
    });
  }

  /** Never rejects. */
  private async isHandled(messages: readonly OutgoingMessage[]): Promise<boolean> {
    const { topic, group, handle, logger } = this.options;
    try {
      const read = messages.map((one) => readWritten(topic, one));
      if (read.some(({ problem }) => problem !== undefined)) return false;
      await handle(read.map(({ message }) => message));
      return true;
    } catch (error) {
      const about = { topic: topic.name, group, reason: reasonOf(error) };
      logger.debug(about, 'messages without rows were not handled');
      return false;
    }
  }
}
