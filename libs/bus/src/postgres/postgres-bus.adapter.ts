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
import { ControlConnection } from '../outbox/control-connection.js';
import { DeadLetterStore, REPLAY_CHANNEL } from './dead-letter.store.js';
import { HandOverDesk } from '../hand-over/hand-over.desk.js';
import type { HandOver, WrittenMessage } from '../hand-over/hand-over.port.js';
import { LogSweep } from './log-sweep.js';
import { StraightPublisher } from '../hand-over/straight-publisher.js';
import { Leases } from '../outbox/leases.js';
import { LogConsumer } from './log-consumer.js';
import { expectDeadLetters } from '../consumer/measurements.js';
import { OffsetStore } from './offset.store.js';
import { outboxChannel } from '../outbox/outbox.migration.js';
import { OutboxHolders } from '../outbox/outbox-holders.js';
import { OutboxReader } from '../outbox/outbox-reader.js';
import { type OutboxWriter, outboxWriter } from '../outbox/outbox-writer.js';

/**
 * The bus of one process, and of several on one database. The services' outboxes are the logs:
 * publishing inserts into the owner's outbox, and a subscription reads it from its group's offset.
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
  /** Between two looks at the logs of all consumers. */
  sweepEvery: number;
  /** How long the publisher waits for the reader of a straight message. Slower messages go into the log as well. */
  straight: number;
}

const TIMES: BusTimes = { wait: 250, sweepEvery: 1_000, straight: 1_000 };

const BATCH_SIZE_DEFAULT = 500;
const ATTEMPTS_DEFAULT = 5;
const POOL_SIZE_DEFAULT = 4;

/** Milliseconds. Notifications arrive in time, and `LogSweep` looks once a second. */
const SLEEP_LISTENING_MS = 60_000;
const SLEEP_DEAF_MS = 100;

/** Channel notified when a bus connects. From then on no bus on this database is alone. */
const HELLO_CHANNEL = 'bus_hello';

const PRUNE_EVERY_MS = 60_000;
const PRUNE_BATCH_SIZE = 2_000;
/** Most batches per topic and minute. A topic that grows faster is pruned later. */
const PRUNE_BATCHES_MAX = 200;

export class PostgresBus implements Bus, DeadLetterOffice {
  private readonly topics: readonly Topic[];
  private readonly times: BusTimes;
  private readonly pool: DatabasePool;
  private readonly control: ControlConnection;
  private readonly leases: Leases;
  private readonly offsets: OffsetStore;
  private readonly deadLetters: DeadLetterStore;
  private readonly holders: OutboxHolders;
  private readonly publishers = new Map<string, OutboxWriter>();
  private readonly consumers = new Map<LogConsumer, { topic: Topic; group: string }>();
  /** The same by topic and by owner, because every write and every message asks for them. */
  private byTopic = new Map<string, LogConsumer[]>();
  private byOwner = new Map<ServiceName, LogConsumer[]>();
  private readonly desks = new Map<ServiceName, HandOverDesk>();
  private readonly alsoInHand: (() => number)[] = [];
  /** Committed messages for consumers that the desks have not handed over yet. */
  private passing = 0;
  private readonly sweep: LogSweep;
  private readonly straight: StraightPublisher;
  /** Whether no other bus uses this database. */
  private isAlone = false;
  /** One topic per group that has ever read, in any process. */
  private topicOfGroups: readonly string[] = [];
  private pruning: NodeJS.Timeout | undefined;
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
    const owners = new Set(this.topics.map((topic) => topic.owner));
    this.control = new ControlConnection({
      url,
      logger,
      channels: [...[...owners].map(outboxChannel), REPLAY_CHANNEL, HELLO_CHANNEL],
      helloChannel: HELLO_CHANNEL,
      onNotification: (channel, payload) => this.notified(channel, payload),
      onConnected: () => this.consumers.forEach((_, consumer) => consumer.wakeForReplay()),
      onLost: () => {
        this.isAlone = false;
        this.leases.loseAll();
        this.consumers.forEach((_, consumer) => consumer.wake());
      },
    });
    this.leases = new Leases(this.control);
    this.offsets = new OffsetStore(this.pool);
    this.deadLetters = new DeadLetterStore(this.pool);
    this.holders = new OutboxHolders(this.pool, logger);
    for (const owner of owners) this.publishers.set(owner, outboxWriter(owner, this.pool));
    this.sweep = new LogSweep({
      database: this.pool,
      offsets: this.offsets,
      logger,
      everyMs: this.times.sweepEvery,
      consumers: () => this.consumers,
      onNeighbours: (buses, topicOfGroups) => {
        this.isAlone = buses === 1 && this.control.connected;
        this.topicOfGroups = topicOfGroups;
      },
    });
    this.straight = new StraightPublisher({
      topics: options.straight ?? [],
      timeoutMs: this.times.straight,
      readersOf: (topic) => this.straightReadersOf(topic),
    });
  }

  static async open(options: PostgresBusOptions): Promise<PostgresBus> {
    const bus = new PostgresBus(options);
    await bus.control.open();
    bus.sweep.start();
    bus.pruning = setInterval(() => void bus.pruneQuietly(), PRUNE_EVERY_MS);
    bus.pruning.unref();
    return bus;
  }

  async publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    this.refuseIfClosed();
    if (messages.length === 0) return;
    const publisher = this.publisherOf(topic);
    const rest = await this.straight.publish(topic, messages);
    if (rest.length > 0) await publisher.submit({ topic, messages: rest });
  }

  /** Returns the hand-over for the transactions of a service in this process. */
  handOverOf(owner: ServiceName): HandOver {
    const known = this.desks.get(owner);
    if (known) return known;
    const desk = new HandOverDesk({
      isSilent: () => this.isSilent(owner),
      deliver: (messages) => this.deliver(messages),
      passing: (messages) => this.countPassing(messages),
      inHand: () => this.inHand,
      alsoInHand: (count) => this.alsoInHand.push(count),
      lookAtLog: () => this.consumersOf(owner).forEach((consumer) => consumer.wake()),
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
    this.publisherOf(topic);
    const { group } = options;
    expectDeadLetters(topic.name, group);
    const consumer = new LogConsumer({
      topic,
      group,
      batchSizeMax: options.batchSizeMax ?? BATCH_SIZE_DEFAULT,
      attemptsMax: options.attemptsMax ?? ATTEMPTS_DEFAULT,
      canWait: options.canWait,
      waitMs: this.times.wait,
      handle: handle as (batch: IncomingMessage[]) => Promise<void>,
      logger: this.options.logger,
      reader: new OutboxReader(this.pool, topic, this.holders),
      offsets: this.offsets,
      deadLetters: this.deadLetters,
      leases: this.leases,
      sleepMs: () => (this.control.connected ? SLEEP_LISTENING_MS : SLEEP_DEAF_MS),
    });
    this.consumers.set(consumer, { topic, group });
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
    clearInterval(this.pruning);
    await this.sweep.close();
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.close()));
    this.consumers.clear();
    this.sortConsumers();
    await Promise.all([...this.publishers.values()].map((publisher) => publisher.drain()));
    await this.control.close();
    await this.pool.end();
  }

  /** Rejects when messages do not get through because the database is unavailable. */
  async look(): Promise<void> {
    if (!this.control.connected) throw new TransientError('consumers have no connection');
    await this.pool.query('SELECT 1');
  }

  /** Returns the lag of each known group, for metrics. */
  async lag(): Promise<LagReading[]> {
    const readings = await Promise.all(this.topics.map((topic) => this.offsets.lag(topic)));
    return readings.flat();
  }

  async listDeadLetters(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    return this.deadLetters.list(topic, group, limit);
  }

  async countDeadLetters(topics: readonly Topic[]): Promise<DeadLetterCount[]> {
    return this.deadLetters.count(topics);
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.deadLetters.askReplay(topic, group);
  }

  async discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.deadLetters.discard(topic, group);
  }

  /**
   * Deletes messages that all known groups have handled and that are older than their topic's
   * retention.
   */
  async prune(): Promise<number> {
    let deleted = 0;
    for (const topic of this.topics) {
      // Nobody reads it here. In Kafka, which may come later, it must have no gap (ADR 6).
      const kept = topic.readers.length > 0 ? topic : { ...topic, retentionHours: 0 };
      for (let batch = 0; batch < PRUNE_BATCHES_MAX && !this.closed; batch += 1) {
        const gone = await this.offsets.prune(kept, PRUNE_BATCH_SIZE);
        deleted += gone;
        if (gone < PRUNE_BATCH_SIZE) break;
      }
    }
    return deleted;
  }

  private async pruneQuietly(): Promise<void> {
    await this.prune().catch((error: unknown) => {
      this.options.logger.warn({ err: error }, 'the logs were not pruned');
    });
  }

  /**
   * Returns whether no notification is needed: every reader of the service's topics is here, and
   * holds its group's lease.
   */
  private isSilent(owner: ServiceName): boolean {
    if (!this.isAlone || this.closed) return false;
    return this.consumersOf(owner).every((consumer) => consumer.isLive);
  }

  private consumersOf(owner: ServiceName): readonly LogConsumer[] {
    return this.byOwner.get(owner) ?? [];
  }

  private sortConsumers(): void {
    const all = [...this.consumers];
    const by = <Key>(keyOf: (topic: Topic) => Key) => {
      const groups = Map.groupBy(all, ([, { topic }]) => keyOf(topic));
      return new Map([...groups].map(([key, some]) => [key, some.map(([consumer]) => consumer)]));
    };
    this.byTopic = by(({ name }) => name);
    this.byOwner = by(({ owner }) => owner);
  }

  private get inHand(): number {
    let count = this.passing;
    for (const { inHand } of this.consumers.keys()) count += inHand;
    for (const more of this.alsoInHand) count += more();
    return count;
  }

  private countPassing(messages: readonly WrittenMessage[]): () => void {
    let count = 0;
    for (const { topic } of messages) if (this.byTopic.has(topic)) count += 1;
    this.passing += count;
    return () => (this.passing -= count);
  }

  private deliver(messages: readonly WrittenMessage[]): void {
    for (const [name, ofTopic] of Map.groupBy(messages, ({ topic }) => topic)) {
      const handed = ofTopic.map((message) => ({ message }));
      for (const consumer of this.byTopic.get(name) ?? []) consumer.handOver(handed);
    }
  }

  private straightReadersOf(topic: Topic): readonly LogConsumer[] {
    if (!this.isAlone || this.closed) return [];
    let groups = 0;
    for (const name of this.topicOfGroups) if (name === topic.name) groups += 1;
    const readers = this.byTopic.get(topic.name) ?? [];
    return readers.length === groups ? readers : [];
  }

  private notified(channel: string, payload: string): void {
    if (channel === HELLO_CHANNEL) {
      this.isAlone = false;
      return;
    }
    for (const [consumer, { topic, group }] of this.consumers) {
      if (channel === REPLAY_CHANNEL) {
        if (payload === `${topic.name} ${group}`) consumer.wakeForReplay();
      } else if (payload === topic.name) consumer.wake();
    }
  }

  private publisherOf(topic: Topic): OutboxWriter {
    const publisher = this.topics.includes(topic) && this.publishers.get(topic.owner);
    if (!publisher) throw new Error(`${topic.name} is not a topic of this bus`);
    return publisher;
  }

  private refuseIfClosed(): void {
    if (this.closed) throw new Error('the bus is closed');
  }
}
