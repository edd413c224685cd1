import { ALL_TOPICS, type Topic, topicSettingsOf } from '@watchword/contracts';
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
import { unavailableDelayMs, pause } from '../consumer/batch-runner.js';
import { type Admin, KafkaClient, type KafkaConnectionOptions } from './kafka-client.adapter.js';
import { KafkaConsumer } from './kafka-consumer.js';
import { KafkaDeadLetters } from './kafka-dead-letters.js';
import { lagOf } from './kafka-lag.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { type KafkaRecord, recordOf, sizeOf } from './kafka-record.js';
import { ensureTopics } from './kafka-topics.js';
import { TopicsDisagree } from './topics-disagree.js';
import { countDeadLetter, expectDeadLetters, RELAY_GROUP } from '../consumer/measurements.js';

export interface KafkaBusOptions extends KafkaConnectionOptions {
  /** All topics of the system. Others can be neither published nor subscribed to. */
  topics?: readonly Topic[];
  /**
   * Milliseconds until the group reassigns the partitions of a vanished member. The default is the
   * least that brokers allow by default.
   */
  sessionTimeoutMs?: number;
  /**
   * Called when Kafka becomes available after the start and its topics differ from their
   * declaration. The process must stop.
   */
  onTopicsDisagree?: (error: TopicsDisagree) => void;
}

const BATCH_SIZE_DEFAULT = 500;
const ATTEMPTS_DEFAULT = 5;
const SESSION_TIMEOUT_DEFAULT_MS = 10_000;
/** Milliseconds that a start waits for Kafka. Afterwards the bus keeps trying. */
const OPEN_TIMEOUT_MS = 5_000;

/**
 * The bus over Apache Kafka, for many processes.
 *
 * At the start it creates missing topics and refuses those that differ from their declaration. An
 * unavailable Kafka delays nothing else: publishing is refused and consumers wait until it is back.
 */
export class KafkaBus implements Bus, DeadLetterOffice {
  private readonly topics: readonly Topic[];
  private readonly client: KafkaClient;
  private readonly publisher: KafkaPublisher;
  private readonly deadLetters: KafkaDeadLetters;
  private readonly consumers = new Map<KafkaConsumer, { topic: Topic; group: string }>();
  private readonly closing = new AbortController();
  private administrator: Promise<Admin> | undefined;
  private topicsEnsured = false;

  private constructor(private readonly options: KafkaBusOptions) {
    this.topics = options.topics ?? ALL_TOPICS;
    this.client = new KafkaClient(options);
    this.publisher = new KafkaPublisher(this.client);
    this.deadLetters = new KafkaDeadLetters(this.client, () => this.admin(), this.publisher);
  }

  /** Opens the bus. Rejects with `TopicsDisagree`. */
  static async open(options: KafkaBusOptions): Promise<KafkaBus> {
    const bus = new KafkaBus(options);
    const ensuring = bus.ensureTopics();
    const timeout = pause(OPEN_TIMEOUT_MS, bus.closing.signal).catch(() => undefined);
    try {
      await Promise.race([ensuring, timeout]);
    } catch (error) {
      await bus.close();
      throw error;
    }
    ensuring.catch((error: unknown) => {
      if (error instanceof TopicsDisagree) options.onTopicsDisagree?.(error);
    });
    return bus;
  }

  /** Whether Kafka was reached and all topics are as declared. */
  get ready(): boolean {
    return this.topicsEnsured;
  }

  /** A message that is too large for the topic becomes a dead letter. */
  async publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    this.refuseUnless(topic);
    const to = topicSettingsOf(topic);
    const fitting: KafkaRecord[] = [];
    const tooLarge: OutgoingMessage[] = [];
    for (const message of messages) {
      const record = recordOf(topic, message);
      if (sizeOf(record) > to.recordBytesMax) tooLarge.push(message);
      else fitting.push(record);
    }
    await this.publisher.publish(to, fitting);
    for (const message of tooLarge) await this.refuse(topic, message);
  }

  async subscribe<Payload>(
    topic: Topic,
    options: SubscriptionOptions,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription & { joined: Promise<void> }> {
    this.refuseUnless(topic);
    const { group } = options;
    expectDeadLetters(topic.name, group);
    const consumer = new KafkaConsumer({
      client: this.client,
      topic,
      group,
      batchSizeMax: options.batchSizeMax ?? BATCH_SIZE_DEFAULT,
      attemptsMax: options.attemptsMax ?? ATTEMPTS_DEFAULT,
      handle: handle as (batch: IncomingMessage[]) => Promise<void>,
      deadLetters: this.deadLetters,
      logger: this.options.logger,
      sessionTimeoutMs: this.options.sessionTimeoutMs ?? SESSION_TIMEOUT_DEFAULT_MS,
    });
    this.consumers.set(consumer, { topic, group });
    return {
      joined: consumer.joined,
      close: async () => {
        await consumer.close();
        this.consumers.delete(consumer);
      },
    };
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await Promise.all([...this.consumers.keys()].map((consumer) => consumer.close()));
    this.consumers.clear();
    await this.publisher.close();
    await (await this.administrator?.catch(() => undefined))?.disconnect();
  }

  /**
   * Rejects when messages do not get through: Kafka does not answer, refused the last publication,
   * or a group of this process cannot consume.
   */
  async check(): Promise<void> {
    if (!this.ready) throw new TransientError('Kafka has not been found yet');
    if (this.publisher.hasFailed) throw new TransientError('Kafka takes no messages');
    const cutOff = [...this.consumers].find(([consumer]) => consumer.isCutOff);
    if (cutOff) throw new TransientError(`${cutOff[1].group} cannot consume`);
    await (await this.admin()).describeCluster();
  }

  /** Returns the lag of this process's groups, for metrics. */
  async lag(): Promise<LagReading[]> {
    const admin = await this.admin();
    const groups = [...this.consumers.values()];
    return Promise.all(groups.map(({ topic, group }) => lagOf(admin, topic, group)));
  }

  async listDeadLetters(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    return this.deadLetters.list(topic, group, limit);
  }

  /** Counts letters by reading them. */
  async countDeadLetters(topics: readonly Topic[], max: number): Promise<DeadLetterCount[]> {
    const counting = topics.map(async (topic) => {
      const letters = await this.deadLetters.list(topic, null, max);
      const groups = Map.groupBy(letters, ({ group }) => group);
      return [...groups].map(([group, { length: count }]) => ({ topic: topic.name, group, count }));
    });
    return (await Promise.all(counting)).flat();
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.deadLetters.replay(topic, group);
  }

  async discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.deadLetters.discard(topic, group);
  }

  private async refuse(topic: Topic, message: OutgoingMessage): Promise<void> {
    const reason = `${message.payload.length} characters do not fit into ${topic.name}`;
    await this.deadLetters.refuse(topic, message, reason);
    countDeadLetter(topic.name, RELAY_GROUP);
    const about = { topic: topic.name, group: RELAY_GROUP, messageId: message.id, reason };
    this.options.logger.error(about, 'a message went to the dead letters');
  }

  private async ensureTopics(): Promise<void> {
    for (let tries = 0; !this.closing.signal.aborted; tries += 1) {
      try {
        await ensureTopics(await this.admin(), this.topics);
        this.topicsEnsured = true;
        return;
      } catch (error) {
        if (error instanceof TopicsDisagree) throw error;
        if (tries === 0) this.options.logger.warn({ err: error }, 'Kafka unavailable, retrying');
        await pause(unavailableDelayMs(tries), this.closing.signal).catch(() => undefined);
      }
    }
  }

  private admin(): Promise<Admin> {
    this.administrator ??= this.connectAdmin();
    return this.administrator;
  }

  private async connectAdmin(): Promise<Admin> {
    const admin = this.client.admin();
    try {
      await admin.connect();
      return admin;
    } catch (error) {
      this.administrator = undefined;
      await admin.disconnect().catch(() => undefined);
      throw error;
    }
  }

  private refuseUnless(topic: Topic): void {
    if (this.closing.signal.aborted) throw new Error('the bus is closed');
    if (!this.topics.includes(topic)) throw new Error(`${topic.name} is not a topic of this bus`);
  }
}
