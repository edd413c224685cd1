import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import type { Bus, OutgoingMessage } from '../bus.port.js';
import { expectDeadLetters, RELAY_GROUP } from '../consumer/measurements.js';
import { type InProcessQueue } from './in-process-queue.js';
import { QueueListener } from './queue-listener.js';
import { QueuePoll } from './queue-poll.js';
import { QueueReader } from './queue-reader.js';
import { QueueTable } from './queue-table.js';

/** Messages that Kafka has not taken yet. */
export interface QueueBacklog {
  service: ServiceName;
  /** Number of messages. Counting stops at 10,000 per topic. */
  waiting: number;
  /** Age of the oldest of them, in seconds. */
  oldestSeconds: number;
}

export interface QueueRelayOptions {
  /** The service that owns the relayed queue. */
  service: ServiceName;
  /** URL of the database, under the service's role. */
  url: string;
  /** All topics of the system. Other owners' topics are left to their relays. */
  topics: readonly Topic[];
  target: Pick<Bus, 'publish'>;
  logger: Logger;
  batchSizeMax?: number;
}

const BATCH_SIZE_DEFAULT = 500;
const POOL_SIZE = 2;
const POLL_EVERY_MS = 1_000;
/** Milliseconds; longer than a publication may take. */
const LEASE_MS = 45_000;

/**
 * Publishes a service's queue to Kafka, batch by batch in the order of the table, and deletes what
 * Kafka has taken. It is the one reader of every topic. While Kafka is unavailable it retries without
 * end, and the queue grows.
 *
 * A crash between publishing and deleting publishes a batch twice. Consumers deduplicate.
 */
export class QueueRelay {
  private readonly pool: DatabasePool;
  private readonly table: QueueTable;
  private readonly readers = new Map<string, QueueReader>();
  private readonly topics: readonly Topic[];
  private readonly polling: QueuePoll;
  private readonly listener: QueueListener;
  private closed = false;
  /** Delivers nothing in the process, and polls after each write. */
  readonly inProcessQueue: InProcessQueue = {
    write: async (topics, write) => {
      try {
        return (await write('now')).result;
      } finally {
        for (const { name } of topics) this.readers.get(name)?.poll();
      }
    },
    isRead: () => true,
  };

  private constructor(private readonly options: QueueRelayOptions) {
    const { service, url, logger } = options;
    this.topics = options.topics.filter((topic) => topic.owner === service);
    this.pool = createPool({
      url,
      max: POOL_SIZE,
      applicationName: `watchword-relay-${service}`,
      schema: service,
      onUnavailable: (cause) => logger.warn({ err: cause }, 'database of the queue unavailable'),
    });
    this.table = new QueueTable(this.pool, service);
    this.polling = new QueuePoll({ everyMs: POLL_EVERY_MS, logger, poll: () => this.poll() });
    const onRows = (topic: string) => this.readers.get(topic)?.poll();
    this.listener = new QueueListener({ url, logger, onRows });
  }

  get service(): ServiceName {
    return this.options.service;
  }

  static async open(options: QueueRelayOptions): Promise<QueueRelay> {
    const relay = new QueueRelay(options);
    await relay.table.setReaders(relay.topics, () => [RELAY_GROUP]);
    for (const topic of relay.topics) {
      relay.readers.set(topic.name, relay.read(topic));
      expectDeadLetters(topic.name, RELAY_GROUP);
    }
    relay.polling.start();
    return relay;
  }

  /**
   * Writes messages that have no transaction. They are durable once it resolves, and are relayed
   * like all others.
   */
  async write(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    await this.table.insert(topic, messages);
    this.readers.get(topic.name)?.poll();
  }

  /** Returns what waits in the queue, over all replicas. */
  async backlog(): Promise<QueueBacklog> {
    const readings = await this.table.lag(this.topics);
    return {
      service: this.service,
      waiting: readings.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestSeconds: Math.max(0, ...readings.map(({ oldestSeconds }) => oldestSeconds)),
    };
  }

  /** Finishes the current batches. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await Promise.all([this.polling.close(), this.listener.close()]);
    await Promise.all([...this.readers.values()].map((reader) => reader.close()));
    await this.table.close();
    await this.pool.end();
  }

  private async poll(): Promise<void> {
    const names = this.topics.map(({ name }) => name);
    const groups = names.map(() => RELAY_GROUP);
    const due = await this.table.due(names, groups);
    for (const { topic } of due) this.readers.get(topic)?.poll();
  }

  private read(topic: Topic): QueueReader {
    return new QueueReader({
      table: this.table,
      topic,
      reader: RELAY_GROUP,
      batchSizeMax: this.options.batchSizeMax ?? BATCH_SIZE_DEFAULT,
      leaseMs: LEASE_MS,
      logger: this.options.logger,
      handle: async (messages) => {
        crashPoint('relay.publish.before-send');
        await this.options.target.publish(topic, messages);
        crashPoint('relay.publish.after-send');
        return NONE;
      },
    });
  }
}

const NONE: ReadonlySet<string> = new Set();
