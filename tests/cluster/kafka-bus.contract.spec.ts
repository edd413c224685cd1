import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaBus } from '../../libs/bus/src/kafka/kafka-bus.adapter.js';
import { describeBusContract } from '../../libs/bus/src/contract/bus-contract.kit.js';
import type { BusSystem, OpenTransaction } from '../../libs/bus/src/contract/environment.kit.js';
import { QueueRelay, type Bus, createMessageQueue, type OutgoingMessage } from '@watchword/bus';
import type { Topic } from '@watchword/contracts';
import { type RunningKafka, startKafka } from '@watchword/local-servers';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { Cable } from './cable.kit.js';

class BillingQueue1763500000001 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createMessageQueue('billing'));
  }
  async down(): Promise<void> {}
}

const logger = createLogger({ service: 'test', level: process.env['LOG_LEVEL'] ?? 'silent' });
const sessionTimeoutMs = 2_000;
/** Milliseconds; long enough for the group to give the member up. */
const cutOffMs = 4_000;
const joinTimeoutMs = 3_000;

class KafkaSystem implements BusSystem {
  private readonly cables = new Map<Bus, Cable>();
  private readonly closeAlso: { close(): Promise<void> }[] = [];

  private constructor(
    readonly kafka: RunningKafka,
    readonly directory: string,
    readonly database: ClonedDatabase,
  ) {}

  static async start(): Promise<KafkaSystem> {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-kafka-'));
    const [kafka, database] = await Promise.all([
      startKafka({ dataDir: directory }),
      cloneDatabase([{ schema: 'billing', migrations: [BillingQueue1763500000001] }]),
    ]);
    return new KafkaSystem(kafka, directory, database);
  }

  async open(topics: readonly Topic[]): Promise<Bus> {
    const cable = new Cable();
    const bus = await KafkaBus.open({
      brokers: this.kafka.brokers,
      clientId: 'contract',
      logger,
      topics,
      sessionTimeoutMs,
      socketFactory: cable.plugIn,
    });
    const untilJoined = Object.create(bus, {
      subscribe: {
        value: async (...args: Parameters<typeof bus.subscribe>) => {
          const subscription = await bus.subscribe(...args);
          await Promise.race([subscription.joined, sleep(joinTimeoutMs)]);
          return subscription;
        },
      },
    }) as KafkaBus;
    this.cables.set(untilJoined, cable);
    return untilJoined;
  }

  /** Publishes as the service does, with its relay running. */
  async begin(topic: Topic, messages: readonly OutgoingMessage[]): Promise<OpenTransaction> {
    const url = this.database.urlOf('billing');
    const target = await KafkaBus.open({
      brokers: this.kafka.brokers,
      clientId: 'relay',
      logger,
      topics: [topic],
    });
    const relay = await QueueRelay.open({
      service: 'billing',
      url,
      topics: [topic],
      target,
      logger,
    });
    this.closeAlso.push({ close: () => relay.close().then(() => target.close()) });
    const client = createClient({ url, applicationName: 'service', schema: 'billing' });
    await client.connect();
    await client.query('BEGIN');
    for (const { key, id, type, time, payload } of messages) {
      await client.query(
        `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
         SELECT topic, reader, $2, $3, $4, $5, $6 FROM message_queue_readers WHERE topic = $1`,
        [topic.name, key, id, type, time, payload],
      );
    }
    const end = async (how: string) => {
      await client.query(how);
      await client.end();
    };
    return { commit: () => end('COMMIT'), rollBack: () => end('ROLLBACK') };
  }

  async cutOff(bus: Bus): Promise<void> {
    this.cables.get(bus)?.cutFor(cutOffMs);
  }

  async deadLetters(topic: Topic, group: string) {
    const letters = await this.withTool(topic, (bus) => bus.listDeadLetters(topic, group, 100));
    return letters.map(({ id, reason, attempts }) => ({ id, reason, attempts }));
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.withTool(topic, (bus) => bus.replayDeadLetters(topic, group));
  }

  async discardDeadLetters(topic: Topic, group: string): Promise<number> {
    return this.withTool(topic, (bus) => bus.discardDeadLetters(topic, group));
  }

  async stop(): Promise<void> {
    await Promise.all(this.closeAlso.map((one) => one.close()));
    await Promise.all([this.kafka.stop(), this.database.drop()]);
    await rm(this.directory, { recursive: true, force: true });
  }

  private async withTool<Result>(topic: Topic, work: (bus: KafkaBus) => Promise<Result>) {
    const brokers = this.kafka.brokers;
    const bus = await KafkaBus.open({ brokers, clientId: 'tool', logger, topics: [topic] });
    try {
      return await work(bus);
    } finally {
      await bus.close();
    }
  }
}

describeBusContract('on Kafka', () => KafkaSystem.start());
