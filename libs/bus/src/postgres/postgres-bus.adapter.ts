import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@watchword/batching';
import { ALL_TOPICS, type ServiceName, type Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import {
  type Bus,
  type DeadLetter,
  type DeadLetterCount,
  type DeadLetterOffice,
  type IncomingMessage,
  type LagReading,
  type OutgoingMessage,
  type Subscription,
  type SubscriptionOptions,
  TransientError,
} from '../bus.port.js';
import { expectDeadLetters } from '../consumer/measurements.js';
import {
  CommitQueue,
  type InProcessQueue,
  type WrittenMessage,
} from '../queue/in-process-queue.js';
import { QueueListener } from '../queue/queue-listener.js';
import { QueuePoll } from '../queue/queue-poll.js';
import { QueueTable } from '../queue/queue-table.js';
import { GroupConsumer } from './group-consumer.js';
import { Presence } from './presence.js';

/**
 * The bus of one process, and of several on one database. Publishing
 * inserts into the queue of the topic's owner, a row per group; a subscription takes its group's rows
 * and deletes them.
 */
export interface PostgresBusOptions {
  /** URL of the database, under the role of the bus; see `provisionBus`. */
  url: string;
  logger: Logger;
  /** All topics of the system. Others can be neither published nor subscribed to. */
  topics?: readonly Topic[];
  /**
   * Topics of which a message gets no row when this process has every reader: it is durable once
   * its one reader has handled it, and gets a row where the reader fails or takes too long. Their
   * readers accept messages in any order, more than once, and several batches at a time.
   */
  direct?: readonly Topic[];
  poolSize?: number;
  /** Specs set their own. */
  times?: Partial<BusTimes>;
}

/** Milliseconds. */
export interface BusTimes {
  /** How long a message waits for the next one, where it can. A receipt often follows its `sent` within this time. */
  wait: number;
  /** Between two polls of the queues. */
  pollEvery: number;
  /** How long a publisher waits for the reader of a direct message. Then it gets a row as well. */
  direct: number;
  /** After which another process may claim what one has not handled. */
  lease: number;
}

const TIMES: BusTimes = { wait: 250, pollEvery: 1_000, direct: 1_000, lease: 10_000 };

const BATCH_SIZE_DEFAULT = 500;
const ATTEMPTS_DEFAULT = 5;
const POOL_SIZE_DEFAULT = 4;

export class PostgresBus implements Bus, DeadLetterOffice {
  private readonly topics: readonly Topic[];
  private readonly times: BusTimes;
  private readonly pool: DatabasePool;
  private readonly tables = new Map<ServiceName, QueueTable>();
  private readonly consumers = new Set<GroupConsumer>();
  /** The same by topic and by owner, for look-ups of every write and every message. */
  private byTopic = new Map<string, GroupConsumer[]>();
  private byOwner = new Map<ServiceName, GroupConsumer[]>();
  private readonly inProcess = new Map<ServiceName, CommitQueue>();
  private readonly presence: Presence;
  private readonly polling: QueuePoll;
  private readonly listener: QueueListener;
  /** Whether no other process uses this database. */
  private isAlone = false;
  private closed = false;

  private constructor(private readonly options: PostgresBusOptions) {
    const { url, logger } = options;
    this.topics = options.topics ?? ALL_TOPICS;
    this.times = { ...TIMES, ...options.times };
    this.pool = createPool({
      url,
      max: options.poolSize ?? POOL_SIZE_DEFAULT,
      applicationName: 'watchword-bus',
      schema: 'bus',
      onUnavailable: (cause) => logger.warn({ err: cause }, 'database of the bus unavailable'),
    });
    for (const { owner } of this.topics) {
      if (!this.tables.has(owner)) this.tables.set(owner, new QueueTable(this.pool, owner));
    }
    this.presence = new Presence(this.pool);
    const everyMs = this.times.pollEvery;
    this.polling = new QueuePoll({ everyMs, logger, poll: () => this.pollTables() });
    const onRows = (topic: string) => this.consumersOf(topic).forEach((one) => one.poll());
    this.listener = new QueueListener({ url, logger, onRows });
  }

  static async open(options: PostgresBusOptions): Promise<PostgresBus> {
    const bus = new PostgresBus(options);
    await bus.beat();
    for (const [owner, table] of bus.tables) {
      const ofOwner = bus.topics.filter((topic) => topic.owner === owner);
      await table.setReaders(ofOwner, ({ groups }) => groups);
    }
    // Until then the others still deliver in their process.
    if (!bus.isAlone) await sleep(bus.times.pollEvery);
    bus.polling.start();
    return bus;
  }

  async publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    this.refuseIfClosed();
    if (messages.length === 0) return;
    const table = this.tableOf(topic);
    if (await this.isHandledDirectly(topic, messages)) return;
    await table.insert(topic, messages);
    for (const consumer of this.consumersOf(topic.name)) consumer.poll();
  }

  /** Returns the queue for the transactions of a service in this process. */
  inProcessQueueOf(owner: ServiceName): InProcessQueue {
    const known = this.inProcess.get(owner);
    if (known) return known;
    const readersOf = (topics: readonly Topic[]) =>
      topics.flatMap(({ name }) => this.consumersOf(name));
    const queue = new CommitQueue({
      canDeliver: (topics) => this.hasEveryReader(topics) && readersOf(topics).every(isCaughtUp),
      // Other programs than ours do not read the tables.
      isRead: ({ groups }) => groups.length > 0,
      deliver: (messages) => this.deliver(messages),
      poll: (topics) => readersOf(topics).forEach((consumer) => consumer.poll()),
      pollForLost: (topics) => readersOf(topics).forEach((consumer) => consumer.pollForLost()),
    });
    this.inProcess.set(owner, queue);
    return queue;
  }

  async subscribe<Payload>(
    topic: Topic,
    options: SubscriptionOptions,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription> {
    this.refuseIfClosed();
    const { group } = options;
    if (!topic.groups.includes(group)) throw new Error(`${group} is no group of ${topic.name}`);
    expectDeadLetters(topic.name, group);
    const consumer = new GroupConsumer({
      topic,
      group,
      batchSizeMax: options.batchSizeMax ?? BATCH_SIZE_DEFAULT,
      attemptsMax: options.attemptsMax ?? ATTEMPTS_DEFAULT,
      canWait: options.canWait,
      waitMs: this.times.wait,
      leaseMs: this.times.lease,
      handle: handle as (batch: IncomingMessage[]) => Promise<void>,
      logger: this.options.logger,
      table: this.tableOf(topic),
    });
    this.consumers.add(consumer);
    if (this.isAlone) consumer.pollForLost();
    this.sortConsumers();
    return {
      close: async () => {
        await consumer.close();
        this.consumers.delete(consumer);
        this.sortConsumers();
      },
    };
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([this.polling.close(), this.listener.close()]);
    await Promise.all([...this.consumers].map((consumer) => consumer.close()));
    this.consumers.clear();
    this.sortConsumers();
    for (const table of this.tables.values()) await table.close();
    await this.presence.leave();
    await this.pool.end();
  }

  /** Rejects when messages do not get through because the database is unavailable. */
  async check(): Promise<void> {
    if (this.polling.hasFailed) throw new TransientError('the queues cannot be read');
    await this.pool.query('SELECT 1');
  }

  /** Returns the lag of each group, for metrics. */
  lag(): Promise<LagReading[]> {
    return this.ofOwners(this.topics, (table, topics) => table.lag(topics));
  }

  listDeadLetters(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    return this.tableOf(topic).deadLetters(topic, group, limit);
  }

  countDeadLetters(topics: readonly Topic[]): Promise<DeadLetterCount[]> {
    return this.ofOwners(topics, (table, some) => table.countDeadLetters(some));
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    const count = await this.tableOf(topic).replay(topic, group);
    for (const consumer of this.consumersOf(topic.name)) consumer.poll();
    return count;
  }

  discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.tableOf(topic).discard(topic, group);
  }

  private async beat(): Promise<void> {
    const isAlone = (await this.presence.beat()) === 0;
    // Messages of a process that is gone come before those that this process delivers.
    if (isAlone && !this.isAlone) this.consumers.forEach((consumer) => consumer.pollForLost());
    this.isAlone = isAlone;
  }

  private async pollTables(): Promise<void> {
    try {
      await this.beat();
      for (const [owner, consumers] of this.byOwner) await this.pollTable(owner, consumers);
    } catch (error) {
      this.isAlone = false;
      throw error;
    }
  }

  private async pollTable(owner: ServiceName, consumers: readonly GroupConsumer[]): Promise<void> {
    const due = await this.tables.get(owner)!.due(
      consumers.map(({ topic }) => topic.name),
      consumers.map(({ group }) => group),
    );
    for (const one of consumers) {
      const isDue = due.some((row) => row.topic === one.topic.name && row.reader === one.group);
      if (isDue) one.poll();
    }
  }

  /** Returns whether no reader of the topics is in another process. */
  private hasEveryReader(topics: readonly Topic[]): boolean {
    if (!this.isAlone || this.closed) return false;
    return topics.every(({ name, groups }) => this.consumersOf(name).length === groups.length);
  }

  private consumersOf(topic: string): readonly GroupConsumer[] {
    return this.byTopic.get(topic) ?? [];
  }

  private sortConsumers(): void {
    const all = [...this.consumers];
    this.byTopic = Map.groupBy(all, ({ topic }) => topic.name);
    this.byOwner = Map.groupBy(all, ({ topic }) => topic.owner);
  }

  private deliver(messages: readonly WrittenMessage[]): void {
    for (const [name, ofTopic] of Map.groupBy(messages, ({ topic }) => topic)) {
      for (const consumer of this.consumersOf(name)) consumer.deliver(ofTopic);
    }
  }

  private async isHandledDirectly(
    topic: Topic,
    messages: readonly OutgoingMessage[],
  ): Promise<boolean> {
    const { direct = [] } = this.options;
    const [reader, ...others] = this.consumersOf(topic.name);
    if (!direct.includes(topic) || !this.hasEveryReader([topic])) return false;
    if (!reader || others.length > 0) return false;
    const late = () => new Error('not handled in time');
    const handling = withDeadline(reader.handleDirectly(messages), this.times.direct, late);
    return handling.catch(() => false);
  }

  private async ofOwners<Result>(
    topics: readonly Topic[],
    ask: (table: QueueTable, topics: readonly Topic[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    const owners = [...Map.groupBy(topics, ({ owner }) => owner)];
    const answers = owners.map(([owner, ofOwner]) => ask(this.tables.get(owner)!, ofOwner));
    return (await Promise.all(answers)).flat();
  }

  private tableOf(topic: Topic): QueueTable {
    const table = this.topics.includes(topic) && this.tables.get(topic.owner);
    if (!table) throw new Error(`${topic.name} is not a topic of this bus`);
    return table;
  }

  private refuseIfClosed(): void {
    if (this.closed) throw new Error('the bus is closed');
  }
}

function isCaughtUp(consumer: GroupConsumer): boolean {
  return consumer.isCaughtUp;
}
