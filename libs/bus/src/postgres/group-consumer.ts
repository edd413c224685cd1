import { OpenItems } from '@watchword/batching';
import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { IncomingMessage, OutgoingMessage, SubscriptionOptions } from '../bus.port.js';
import { reasonOf } from '../consumer/batch-runner.js';
import { readHanded } from '../consumer/read-message.js';
import { OutboxReader } from '../outbox/outbox-reader.js';
import type { OutboxTable } from '../outbox/outbox-table.js';
import { groupHandler } from './group-handler.js';

export interface GroupConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  canWait: SubscriptionOptions['canWait'];
  /** Milliseconds for which a message waits for the next one, where it can. */
  waitMs: number;
  leaseMs: number;
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  table: OutboxTable;
  logger: Logger;
}

/** Most batches of messages without a row that are handled at a time. More of them get rows. */
const STRAIGHT_MAX = 1_000;

/** One group's consumer of one topic, in this process. */
export class GroupConsumer {
  readonly topic: Topic;
  private readonly reader: OutboxReader;
  /** Batches of messages without a row that are being handled; see `StraightPublisher`. */
  private readonly straight = new OpenItems<Promise<boolean>>();
  private waiting: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupConsumerOptions) {
    this.topic = options.topic;
    const handle = groupHandler(options);
    this.reader = new OutboxReader({ ...options, reader: options.group, handle });
  }

  get group(): string {
    return this.options.group;
  }

  get isCaughtUp(): boolean {
    return this.reader.isCaughtUp;
  }

  look(): void {
    this.reader.look();
  }

  lookForLost(): void {
    this.reader.lookForLost();
  }

  /** Takes messages that this process has committed. */
  handOver(messages: readonly OutgoingMessage[]): void {
    if (!this.reader.offer(messages)) return;
    if (this.canWait(messages)) this.waiting ??= this.ringLater();
    else this.ring();
  }

  /**
   * Handles messages without a row, beside all others, because they may come in any order. Resolves
   * with whether they were handled; those that were not need rows.
   */
  async handleStraight(messages: readonly OutgoingMessage[]): Promise<boolean> {
    if (this.straight.size >= STRAIGHT_MAX) return false;
    const handling = this.isHandled(messages);
    const place = this.straight.add(handling);
    const isHandled = await handling;
    this.straight.remove(place);
    return isHandled;
  }

  async close(): Promise<void> {
    clearTimeout(this.waiting);
    await this.reader.close();
    await Promise.all(this.straight);
  }

  private ringLater(): NodeJS.Timeout {
    return setTimeout(() => this.ring(), this.options.waitMs).unref();
  }

  private ring(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.reader.ring();
  }

  /** Returns whether the messages may wait. A message that cannot be parsed may not. */
  private canWait(messages: readonly OutgoingMessage[]): boolean {
    const { canWait, topic } = this.options;
    if (canWait === undefined) return false;
    return messages.every((one) => {
      const { message, problem } = readHanded(topic, one);
      return problem === undefined && canWait(message.payload);
    });
  }

  /** Never rejects. */
  private async isHandled(messages: readonly OutgoingMessage[]): Promise<boolean> {
    const { topic, group, handle, logger } = this.options;
    try {
      const read = messages.map((one) => readHanded(topic, one));
      if (read.some(({ problem }) => problem !== undefined)) return false;
      await handle(read.map(({ message }) => message));
      return true;
    } catch (error) {
      const about = { topic: topic.name, group, reason: reasonOf(error) };
      logger.debug(about, 'messages were not handled straight');
      return false;
    }
  }
}
