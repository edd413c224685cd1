import type { ServiceName, Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { awayDelayMs, pause } from '../consumer/batch-runner.js';
import type { OutgoingMessage, RelayTarget } from '../bus.port.js';
import { ControlConnection } from './control-connection.js';
import { Leases } from './leases.js';
import { LogFollower } from './log-follower.js';
import { outboxChannel } from './outbox.migration.js';
import { OutboxHolders } from './outbox-holders.js';
import { type LogEntry, OutboxReader } from './outbox-reader.js';
import { type OutboxWriter, outboxWriter } from './outbox-writer.js';
import { countDeadLetter, expectDeadLetters, RELAY_GROUP } from '../consumer/measurements.js';
import { type OutboxBacklog, RelayOffsetStore } from './relay-offset.store.js';

export interface OutboxRelayOptions {
  /** The service that owns the relayed outbox. */
  service: ServiceName;
  /** URL of the database, under the service's role. */
  url: string;
  /** All topics of the system. Other owners' topics are left to their relays. */
  topics: readonly Topic[];
  target: RelayTarget;
  logger: Logger;
  batchSizeMax?: number;
}

/** The rest of a batch. A failed message keeps its place in it. */
interface Load {
  rest: readonly LogEntry[];
  /** Whether messages go one by one, because one of the batch was refused. */
  isAlone: boolean;
}

const BATCH_SIZE_DEFAULT = 500;
/** Lets the reader of a topic query while another one stores its offset. */
const POOL_SIZE = 2;
/** Milliseconds. It covers a lost notification. */
const SLEEP_LISTENING_MS = 1_000;
const SLEEP_DEAF_MS = 100;

const PRUNE_EVERY_MS = 60_000;
const PRUNE_BATCH_SIZE = 2_000;
const PRUNE_BATCHES_MAX = 200;
/** Seconds for which published rows are kept for operators. */
const KEPT_SECONDS = 3_600;

/**
 * Publishes a service's outbox to the bus, batch by batch in the order of the log. It is one more
 * reader of the log (ADR 0006) under the service's own role, and stores its offset in the service's
 * schema. Of several replicas one relays each topic at a time. While the target is unavailable it
 * retries without end, and the outbox grows.
 *
 * A crash between publishing and storing the offset publishes a batch twice. Consumers deduplicate.
 */
export class OutboxRelay {
  private readonly pool: DatabasePool;
  private readonly control: ControlConnection;
  private readonly offsets: RelayOffsetStore;
  private readonly writer: OutboxWriter;
  private readonly holders: OutboxHolders;
  private readonly followers = new Map<string, LogFollower>();
  private readonly topics: readonly Topic[];
  private pruning: NodeJS.Timeout | undefined;
  private closed = false;

  private constructor(private readonly options: OutboxRelayOptions) {
    const { service, url, logger } = options;
    this.topics = options.topics.filter((topic) => topic.owner === service);
    this.pool = createPool({
      url,
      max: POOL_SIZE,
      applicationName: `watchword-relay-${service}`,
      schema: service,
      onUnavailable: (cause) => logger.warn({ err: cause }, 'database of the outbox unavailable'),
    });
    this.offsets = new RelayOffsetStore(this.pool, service);
    this.writer = outboxWriter(service, this.pool);
    this.holders = new OutboxHolders(this.pool, logger);
    const leases = new Leases(
      (this.control = new ControlConnection({
        url,
        logger,
        channels: [outboxChannel(service)],
        onNotification: (_, topic) => this.followers.get(topic)?.wake(),
        onConnected: () => this.followers.forEach((follower) => follower.wake()),
        onLost: () => {
          leases.loseAll();
          this.followers.forEach((follower) => follower.wake());
        },
      })),
    );
    for (const topic of this.topics) {
      this.followers.set(topic.name, this.follow(topic, leases));
      expectDeadLetters(topic.name, RELAY_GROUP);
    }
  }

  get service(): ServiceName {
    return this.options.service;
  }

  static async open(options: OutboxRelayOptions): Promise<OutboxRelay> {
    const relay = new OutboxRelay(options);
    await relay.control.open();
    for (const follower of relay.followers.values()) follower.start();
    relay.pruning = setInterval(() => void relay.pruneQuietly(), PRUNE_EVERY_MS).unref();
    return relay;
  }

  /**
   * Writes messages that have no transaction. They are durable once it resolves, and are relayed
   * like all others.
   */
  async write(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    if (messages.length > 0) await this.writer.submit({ topic, messages });
  }

  /** Returns what waits in the outbox, over all replicas. */
  backlog(): Promise<OutboxBacklog> {
    return this.offsets.backlog(this.topics);
  }

  /** Finishes the current batches. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.pruning);
    await Promise.all([...this.followers.values()].map((follower) => follower.close()));
    await this.writer.drain();
    await this.control.close();
    await this.pool.end();
  }

  /** Deletes published rows older than `olderThanSeconds`. Returns the count. */
  async prune(olderThanSeconds = KEPT_SECONDS): Promise<number> {
    let deleted = 0;
    for (const topic of this.topics) {
      for (let batch = 0; batch < PRUNE_BATCHES_MAX && !this.closed; batch += 1) {
        const gone = await this.offsets.prune(topic, PRUNE_BATCH_SIZE, olderThanSeconds);
        deleted += gone;
        if (gone < PRUNE_BATCH_SIZE) break;
      }
    }
    return deleted;
  }

  private follow(topic: Topic, leases: Leases): LogFollower {
    const reader = new OutboxReader(this.pool, topic, this.holders);
    const follower: LogFollower = new LogFollower({
      name: `relay ${topic.name}`,
      leases,
      logger: this.options.logger,
      batchSizeMax: this.options.batchSizeMax ?? BATCH_SIZE_DEFAULT,
      sleepMs: () => (this.control.connected ? SLEEP_LISTENING_MS : SLEEP_DEAF_MS),
      load: () => this.offsets.load(topic),
      read: (after, limit) => reader.read(after, limit),
      process: (entries) => this.carry(topic, entries, follower.signal),
      advance: (from, to) => this.offsets.advance(topic, from, to),
    });
    return follower;
  }

  private async carry(
    topic: Topic,
    entries: readonly LogEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const { logger } = this.options;
    const load: Load = { rest: entries, isAlone: false };
    for (let tries = 0; ; tries += 1) {
      try {
        await this.deliver(topic, load);
        if (tries > 0) logger.info({ topic: topic.name, tries }, 'the relay goes on');
        return;
      } catch (error) {
        if (tries === 0) logger.warn({ topic: topic.name, err: error }, 'relay waiting');
        await pause(awayDelayMs(tries), signal);
      }
    }
  }

  /**
   * Publishes all messages at once. If one is refused, it publishes them one by one, so that only
   * that one is lost to the dead letters.
   */
  private async deliver(topic: Topic, load: Load): Promise<void> {
    while (load.rest.length > 0) {
      const part = load.isAlone ? load.rest.slice(0, 1) : load.rest;
      const reason = await this.attempt(topic, part);
      if (reason !== undefined && part.length > 1) {
        load.isAlone = true;
        continue;
      }
      if (reason !== undefined) await this.refuse(topic, part[0] as LogEntry, reason);
      load.rest = load.rest.slice(part.length);
    }
  }

  /** Returns why a message is refused, or undefined. */
  private async attempt(topic: Topic, part: readonly LogEntry[]): Promise<string | undefined> {
    const { target } = this.options;
    try {
      crashPoint('relay.publish.before-send');
      await target.publish(topic, part);
      crashPoint('relay.publish.after-send');
      return undefined;
    } catch (error) {
      if (!target.isRefusal(error)) throw error;
      return (error as Error).message;
    }
  }

  private async refuse(topic: Topic, entry: LogEntry, reason: string): Promise<void> {
    const { target, logger } = this.options;
    await target.refuse(topic, entry, entry.at.position, reason);
    countDeadLetter(topic.name, RELAY_GROUP);
    const about = { topic: topic.name, group: RELAY_GROUP, messageId: entry.id, reason };
    logger.error(about, 'a message went to the dead letters');
  }

  private async pruneQuietly(): Promise<void> {
    await this.prune().catch((error: unknown) => {
      this.options.logger.warn({ err: error }, 'the outbox was not pruned');
    });
  }
}
