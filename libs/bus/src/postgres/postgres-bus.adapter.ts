import { setTimeout as sleep } from 'node:timers/promises';
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
import { HandOverDesk } from '../hand-over/hand-over.desk.js';
import type { HandOver, WrittenMessage } from '../hand-over/hand-over.port.js';
import { StraightPublisher } from '../hand-over/straight-publisher.js';
import { OutboxLook } from '../outbox/outbox-look.js';
import { OutboxTable } from '../outbox/outbox-table.js';
import { type OutboxWriter, outboxWriter } from '../outbox/outbox-writer.js';
import { GroupConsumer } from './group-consumer.js';
import { Presence } from './presence.js';

/**
 * The bus of one process, and of several on one database. Publishing
 * inserts into the outbox of the topic's owner, a row per group; a subscription takes its group's rows
 * and deletes them.
 */
export interface PostgresBusOptions {
  /** URL of the database, under the role of the bus; see `provisionBus`. */
  url: string;
  logger: Logger;
  /** All topics of the system. Others can be neither published nor subscribed to. */
  topics?: readonly Topic[];
  /**
   * Topics with messages that go straight to their reader, in any order and several batches at a
   * time; see `StraightPublisher`.
   */
  straight?: readonly Topic[];
  poolSize?: number;
  /** Specs set their own. */
  times?: Partial<BusTimes>;
}

/** Milliseconds. */
export interface BusTimes {
  /** How long a message waits for the next one, where it can. A receipt often follows its `sent` within this time. */
  wait: number;
  /** Between two looks at the outboxes, while nothing happens. */
  lookEvery: number;
  /** How long the publisher waits for the reader of a straight message. Slower messages get a row as well. */
  straight: number;
  /** After which another process may claim what one has not handled. */
  lease: number;
}

const TIMES: BusTimes = { wait: 250, lookEvery: 1_000, straight: 1_000, lease: 10_000 };

const BATCH_SIZE_DEFAULT = 500;
const ATTEMPTS_DEFAULT = 5;
const POOL_SIZE_DEFAULT = 4;

export class PostgresBus implements Bus, DeadLetterOffice {
  private readonly topics: readonly Topic[];
  private readonly times: BusTimes;
  private readonly pool: DatabasePool;
  private readonly tables = new Map<ServiceName, OutboxTable>();
  private readonly writers = new Map<ServiceName, OutboxWriter>();
  private readonly consumers = new Set<GroupConsumer>();
  /** The same by topic and by owner, because every write and every message asks for them. */
  private byTopic = new Map<string, GroupConsumer[]>();
  private byOwner = new Map<ServiceName, GroupConsumer[]>();
  /** How many groups read an owner's topics. */
  private readonly groups = new Map<ServiceName, number>();
  private readonly desks = new Map<ServiceName, HandOverDesk>();
  private readonly presence: Presence;
  private readonly looking: OutboxLook;
  private readonly straight: StraightPublisher;
  /** Whether no other process uses this database. */
  private isAlone = false;
  private seenAt = 0;
  /** Whether something was written since the last look. */
  private isBusy = false;
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
    for (const { owner, groups } of this.topics) {
      if (!this.tables.has(owner)) this.tables.set(owner, new OutboxTable(this.pool, owner));
      if (!this.writers.has(owner)) this.writers.set(owner, outboxWriter(owner, this.pool));
      this.groups.set(owner, (this.groups.get(owner) ?? 0) + groups.length);
    }
    this.presence = new Presence(this.pool);
    const everyMs = this.times.lookEvery;
    this.looking = new OutboxLook({ everyMs, logger, look: () => this.lookAtTables() });
    this.straight = new StraightPublisher({
      topics: options.straight ?? [],
      timeoutMs: this.times.straight,
      readersOf: (topic) => this.straightReadersOf(topic),
    });
  }

  static async open(options: PostgresBusOptions): Promise<PostgresBus> {
    const bus = new PostgresBus(options);
    await bus.beat();
    for (const [owner, table] of bus.tables) {
      const ofOwner = bus.topics.filter((topic) => topic.owner === owner);
      await table.setReaders(ofOwner, ({ groups }) => groups);
    }
    // Until then the others still hand over themselves.
    if (!bus.isAlone) await sleep(bus.times.lookEvery);
    bus.looking.start();
    return bus;
  }

  async publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    this.refuseIfClosed();
    if (messages.length === 0) return;
    const writer = this.writerOf(topic);
    const rest = await this.straight.publish(topic, messages);
    if (rest.length === 0) return;
    await writer.submit({ topic, messages: rest });
    for (const consumer of this.byTopic.get(topic.name) ?? []) consumer.look();
  }

  /** Returns the hand-over for the transactions of a service in this process. */
  handOverOf(owner: ServiceName): HandOver {
    const known = this.desks.get(owner);
    if (known) return known;
    const desk = new HandOverDesk({
      isSilent: () => this.isSilent(owner),
      // Other programs than ours do not read the tables.
      isRead: ({ groups }) => groups.length > 0,
      deliver: (messages) => this.deliver(messages),
      lookAtTable: () => this.consumersOf(owner).forEach((consumer) => consumer.look()),
      lookForLost: () => this.consumersOf(owner).forEach((consumer) => consumer.lookForLost()),
    });
    this.desks.set(owner, desk);
    return desk;
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
    if (this.isAlone) consumer.lookForLost();
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
    await this.looking.close();
    await Promise.all([...this.consumers].map((consumer) => consumer.close()));
    this.consumers.clear();
    this.sortConsumers();
    for (const writer of this.writers.values()) await writer.drain();
    for (const table of this.tables.values()) await table.close();
    await this.presence.leave();
    await this.pool.end();
  }

  /** Rejects when messages do not get through because the database is unavailable. */
  async look(): Promise<void> {
    if (this.looking.hasFailed) throw new TransientError('the outboxes cannot be read');
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
    for (const consumer of this.byTopic.get(topic.name) ?? []) consumer.look();
    return count;
  }

  discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.tableOf(topic).discard(topic, group);
  }

  private async beat(): Promise<void> {
    const isAlone = (await this.presence.beat()) === 0;
    // What a process that is gone had in hand comes before anything is handed over.
    if (isAlone && !this.isAlone) this.consumers.forEach((consumer) => consumer.lookForLost());
    this.isAlone = isAlone;
    this.seenAt = Date.now();
  }

  /** Finds what was written without a hand-over, or by another process. Returns whether to look again soon. */
  private async lookAtTables(): Promise<boolean> {
    const isBusy = this.isBusy || !this.isAlone;
    this.isBusy = false;
    try {
      if (Date.now() - this.seenAt >= this.times.lookEvery) await this.beat();
      for (const [owner, consumers] of this.byOwner) await this.lookAt(owner, consumers);
    } catch (error) {
      this.isAlone = false;
      throw error;
    }
    return isBusy;
  }

  private async lookAt(owner: ServiceName, consumers: readonly GroupConsumer[]): Promise<void> {
    const due = await this.tables.get(owner)!.due(
      consumers.map(({ topic }) => topic.name),
      consumers.map(({ group }) => group),
    );
    for (const one of consumers) {
      const isDue = due.some((row) => row.topic === one.topic.name && row.reader === one.group);
      if (isDue) one.look();
    }
  }

  /** Returns whether the service's rows are handed over: every reader is here and has read the table. */
  private isSilent(owner: ServiceName): boolean {
    this.isBusy = true;
    if (!this.isAlone || this.closed) return false;
    const consumers = this.consumersOf(owner);
    if (consumers.length !== this.groups.get(owner)) return false;
    return consumers.every((consumer) => consumer.isCaughtUp);
  }

  private consumersOf(owner: ServiceName): readonly GroupConsumer[] {
    return this.byOwner.get(owner) ?? [];
  }

  private sortConsumers(): void {
    const all = [...this.consumers];
    this.byTopic = Map.groupBy(all, ({ topic }) => topic.name);
    this.byOwner = Map.groupBy(all, ({ topic }) => topic.owner);
  }

  private deliver(messages: readonly WrittenMessage[]): void {
    for (const [name, ofTopic] of Map.groupBy(messages, ({ topic }) => topic)) {
      for (const consumer of this.byTopic.get(name) ?? []) consumer.handOver(ofTopic);
    }
  }

  private straightReadersOf(topic: Topic): readonly GroupConsumer[] {
    if (!this.isAlone || this.closed) return [];
    const readers = this.byTopic.get(topic.name) ?? [];
    return readers.length === topic.groups.length ? readers : [];
  }

  private async ofOwners<Result>(
    topics: readonly Topic[],
    ask: (table: OutboxTable, topics: readonly Topic[]) => Promise<Result[]>,
  ): Promise<Result[]> {
    const owners = [...Map.groupBy(topics, ({ owner }) => owner)];
    const answers = owners.map(([owner, ofOwner]) => ask(this.tables.get(owner)!, ofOwner));
    return (await Promise.all(answers)).flat();
  }

  private tableOf(topic: Topic): OutboxTable {
    const table = this.topics.includes(topic) && this.tables.get(topic.owner);
    if (!table) throw new Error(`${topic.name} is not a topic of this bus`);
    return table;
  }

  private writerOf(topic: Topic): OutboxWriter {
    this.tableOf(topic);
    return this.writers.get(topic.owner)!;
  }

  private refuseIfClosed(): void {
    if (this.closed) throw new Error('the bus is closed');
  }
}
