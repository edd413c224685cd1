import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMessageQueue, QueueRelay } from '@watchword/bus';
import type { Topic } from '@watchword/contracts';
import { type KafkaOptions, type RunningKafka, startKafka } from '@watchword/local-servers';
import { createLogger, type Logger } from '@watchword/observability';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { KafkaBus, type KafkaBusOptions } from '../../libs/bus/src/kafka/kafka-bus.adapter.js';
import { newTopic } from '../../libs/bus/src/contract/messages.kit.js';

export const silent = createLogger({
  service: 'test',
  level: process.env['LOG_LEVEL'] ?? 'silent',
});

class BillingQueue1763500000001 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createMessageQueue('billing'));
  }
  async down(): Promise<void> {}
}

/** A Kafka, the database of a publishing service, and what the test opened on them. */
export class KafkaTestSystem {
  private readonly open: { close(): Promise<unknown> }[] = [];

  private constructor(
    readonly kafka: RunningKafka,
    readonly database: ClonedDatabase,
    private readonly directory: string,
  ) {}

  static async start(options: Omit<KafkaOptions, 'dataDir'> = {}): Promise<KafkaTestSystem> {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-kafka-'));
    const [kafka, database] = await Promise.all([
      startKafka({ ...options, dataDir: directory }),
      cloneDatabase([{ schema: 'billing', migrations: [BillingQueue1763500000001] }]),
    ]);
    return new KafkaTestSystem(kafka, database, directory);
  }

  async bus(topics: readonly Topic[], more: Partial<KafkaBusOptions> = {}): Promise<KafkaBus> {
    const { brokers } = this.kafka;
    const settings = { clientId: 'test', logger: silent, sessionTimeoutMs: 2_000 };
    const bus = await KafkaBus.open({ brokers, topics, ...settings, ...more });
    return this.closing(bus);
  }

  async relay(topics: readonly Topic[], target: KafkaBus, logger: Logger = silent) {
    const url = this.database.urlOf('billing');
    const options = { service: 'billing', url, topics, target, logger } as const;
    return this.closing(await QueueRelay.open(options));
  }

  /** Returns the service's pool. */
  pool(): DatabasePool {
    const url = this.database.urlOf('billing');
    const pool = createPool({ url, max: 4, applicationName: 'service', schema: 'billing' });
    this.open.push({ close: () => pool.end() });
    return pool;
  }

  /** Leaves the servers as the test found them. */
  async tidy(): Promise<void> {
    for (const node of this.kafka.nodes) {
      node.resume();
      await node.start();
    }
    for (const one of this.open.splice(0).toReversed()) await one.close();
  }

  async stop(): Promise<void> {
    await this.tidy();
    await Promise.all([this.kafka.stop(), this.database.drop()]);
    await rm(this.directory, { recursive: true, force: true });
  }

  private closing<Opened extends { close(): Promise<unknown> }>(opened: Opened): Opened {
    this.open.push(opened);
    return opened;
  }
}

export function topicOf(partitions: number): Topic {
  return { ...newTopic(), partitions };
}

/** Publishes as a service does, in its own transaction. */
export async function intoQueue(
  pool: DatabasePool,
  topic: Topic,
  numbers: readonly number[],
  payloadOf = (n: number) => JSON.stringify({ n }),
): Promise<void> {
  await pool.query(
    `INSERT INTO message_queue (topic, reader, key, message_id, type, payload)
     SELECT $1, 'queue-relay', key, id, 'test.happened.v1', payload
       FROM unnest($2::text[], $3::text[], $4::text[]) AS m (key, id, payload)`,
    [
      topic.name,
      numbers.map((n) => `key-${n % 10}`),
      numbers.map((n) => `message-${n}`),
      numbers.map(payloadOf),
    ],
  );
}

export function group(): string {
  return `group-${randomUUID()}`;
}
