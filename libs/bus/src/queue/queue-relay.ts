import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import type { Bus, OutgoingMessage } from '../bus.port.js';
import { pause, unavailableDelayMs } from '../consumer/batch-runner.js';
import { expectDeadLetters, RELAY_GROUP } from '../consumer/measurements.js';
import { type InProcessQueue } from './in-process-queue.js';
import { QueueListener } from './queue-listener.js';
import { QueuePoll } from './queue-poll.js';
import { QueueTable } from './queue-table.js';
import { WakeUp } from './wake-up.js';

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

/** What became of a batch. `busy`: another process relays the topic. */
type Outcome = 'done' | 'more' | 'busy' | 'failed';

const BATCH_SIZE_DEFAULT = 500;
/** One connection relays, the other writes and polls. */
const POOL_SIZE = 2;
const POLL_EVERY_MS = 1_000;
/** Milliseconds until the next try of a topic that another process relays. */
const BUSY_RETRY_MS = 50;

/**
 * Publishes a service's queue to Kafka, topic by topic, in batches in the order of the table. It is the
 * one reader of every topic. A batch is a transaction that deletes its rows, publishes them and
 * commits; a lock in it makes one process at a time relay the topic, which keeps the order of each
 * key. While Kafka is unavailable the relay retries without end, and the queue grows.
 *
 * A crash between publishing and the commit publishes a batch twice. Consumers deduplicate.
 */
export class QueueRelay {
  private readonly pool: DatabasePool;
  private readonly table: QueueTable;
  private readonly topics: readonly Topic[];
  /** Names of the topics that may have rows. */
  private readonly pending = new Set<string>();
  private readonly wakeUp = new WakeUp();
  private readonly stopping = new AbortController();
  private readonly polling: QueuePoll;
  private readonly listener: QueueListener;
  private running: Promise<void> = Promise.resolve();
  /** Delivers nothing in the process: each write is relayed. */
  readonly inProcessQueue: InProcessQueue = {
    write: async (topics, write) => {
      try {
        return (await write('now')).result;
      } finally {
        for (const { name } of topics) this.markPending(name);
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
    this.listener = new QueueListener({ url, logger, onRows: (topic) => this.markPending(topic) });
  }

  get service(): ServiceName {
    return this.options.service;
  }

  static async open(options: QueueRelayOptions): Promise<QueueRelay> {
    const relay = new QueueRelay(options);
    await relay.table.setReaders(relay.topics, () => [RELAY_GROUP]);
    for (const { name } of relay.topics) {
      expectDeadLetters(name, RELAY_GROUP);
      relay.markPending(name);
    }
    relay.running = relay.run();
    relay.polling.start();
    return relay;
  }

  /**
   * Writes messages that have no transaction. They are durable once it resolves, and are relayed
   * like all others.
   */
  async write(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    await this.table.insert(topic, messages);
    this.markPending(topic.name);
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

  /** Finishes the current batch. */
  async close(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    this.stopping.abort();
    this.wakeUp.notify();
    await Promise.all([this.polling.close(), this.listener.close()]);
    await this.running;
    await this.table.close();
    await this.pool.end();
  }

  private markPending(topic: string): void {
    this.pending.add(topic);
    this.wakeUp.notify();
  }

  private async poll(): Promise<void> {
    const names = this.topics.map(({ name }) => name);
    const groups = names.map(() => RELAY_GROUP);
    for (const { topic } of await this.table.due(names, groups)) this.markPending(topic);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let tries = 0; !signal.aborted;) {
      await this.wakeUp.wait();
      const outcomes = new Set<Outcome>();
      for (const topic of this.topics) {
        if (this.pending.delete(topic.name)) outcomes.add(await this.relay(topic, tries === 0));
        if (signal.aborted) return;
      }
      const hasFailed = outcomes.has('failed');
      if (hasFailed) await pause(unavailableDelayMs(tries), signal).catch(() => undefined);
      else if (outcomes.has('busy')) await pause(BUSY_RETRY_MS, signal).catch(() => undefined);
      tries = hasFailed ? tries + 1 : 0;
    }
  }

  private async relay(topic: Topic, isFirstTry: boolean): Promise<Outcome> {
    const { batchSizeMax = BATCH_SIZE_DEFAULT, target, logger } = this.options;
    const outcome = await this.pool
      .transaction(async (transaction): Promise<Outcome> => {
        const messages = await this.table.take(transaction, topic, RELAY_GROUP, batchSizeMax);
        if (messages === 'busy') return 'busy';
        if (messages.length === 0) return 'done';
        crashPoint('relay.publish.before-send');
        await target.publish(topic, messages);
        crashPoint('relay.publish.after-send');
        return messages.length < batchSizeMax ? 'done' : 'more';
      })
      .catch((error: unknown): Outcome => {
        const about = { topic: topic.name, group: RELAY_GROUP, err: error };
        if (isFirstTry) logger.warn(about, 'messages not published, retrying');
        return 'failed';
      });
    if (outcome !== 'done') this.markPending(topic.name);
    return outcome;
  }
}
