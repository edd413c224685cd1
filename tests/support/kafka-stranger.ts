import { randomUUID } from 'node:crypto';
import {
  type Admin,
  CompressionTypes,
  type EachMessagePayload,
  Kafka,
  logLevel,
  type Message,
  type Producer,
  type SASLOptions,
} from 'kafkajs';
import { waitUntil } from './wait-until.ts';

/** Milliseconds of a fetch that finds nothing. A consumer leaves only after it: by default, five seconds. */
const FETCH_WAIT_MS = 100;

export interface StrangersRecord {
  partition: number;
  key: string;
  value: string;
  headers: Record<string, string>;
}

export interface StoredRecord extends StrangersRecord {
  topic: string;
  offset: string;
}

/** Another program at the same Kafka, which keeps to none of our rules. */
export class KafkaStranger {
  private readonly kafka: Kafka;
  readonly admin: Admin;
  private readonly producer: Producer;

  private constructor(brokers: readonly string[], sasl?: SASLOptions) {
    this.kafka = new Kafka({
      clientId: 'stranger',
      brokers: [...brokers],
      sasl,
      logLevel: logLevel.NOTHING,
    });
    this.admin = this.kafka.admin();
    this.producer = this.kafka.producer();
  }

  static async open(brokers: readonly string[], sasl?: SASLOptions): Promise<KafkaStranger> {
    const stranger = new KafkaStranger(brokers, sasl);
    await Promise.all([stranger.admin.connect(), stranger.producer.connect()]);
    return stranger;
  }

  async close(): Promise<void> {
    await Promise.all([this.admin.disconnect(), this.producer.disconnect()]);
  }

  async publish(
    topic: string,
    records: readonly StrangersRecord[],
    compression = CompressionTypes.None,
  ): Promise<void> {
    await this.producer.send({ topic, compression, messages: [...records] as Message[] });
  }

  /** Returns the oldest records of each topic, at most this many. */
  async readOldest(topics: readonly string[], countMax: number): Promise<StoredRecord[]> {
    const wanted = new Map<string, number>();
    for (const topic of topics) {
      const ends = await this.admin.fetchTopicOffsets(topic);
      const there = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
      wanted.set(topic, Math.min(there, countMax));
    }
    const found = new Map(topics.map((topic) => [topic, [] as StoredRecord[]]));
    const note = (record: StoredRecord) => found.get(record.topic)?.push(record);
    await this.whileReading(topics, note, () =>
      waitUntil('the oldest messages of all topics', () =>
        [...found].every(([topic, records]) => records.length >= wanted.get(topic)!),
      ),
    );
    return [...found.values()].flatMap((records) => records.slice(0, countMax));
  }

  /** Notes all that is in the topics, from their beginning, while the work lasts; leaves no group behind. */
  async whileReading(
    topics: readonly string[],
    note: (record: StoredRecord) => void,
    work: () => Promise<unknown>,
  ): Promise<void> {
    const groupId = `stranger-${randomUUID()}`;
    const consumer = this.kafka.consumer({ groupId, maxWaitTimeInMs: FETCH_WAIT_MS });
    await consumer.connect();
    try {
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({ eachMessage: async (payload) => note(storedRecord(payload)) });
      await work();
    } finally {
      await consumer.disconnect();
      await this.forgetGroup(groupId);
    }
  }

  /** Deletes a group. One that never read does not exist. */
  private async forgetGroup(groupId: string): Promise<void> {
    const { groups } = await this.admin.listGroups();
    if (groups.some((one) => one.groupId === groupId)) await this.admin.deleteGroups([groupId]);
  }

  /** Deletes all records of a topic. */
  async empty(topic: string): Promise<void> {
    const ends = await this.admin.fetchTopicOffsets(topic);
    const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }));
    await this.admin.deleteTopicRecords({ topic, partitions });
  }
}

function storedRecord({ topic, partition, message }: EachMessagePayload): StoredRecord {
  const { key, value, offset, headers = {} } = message;
  const texts = Object.entries(headers).map(([name, text]) => [name, String(text)]);
  return {
    topic,
    partition,
    offset,
    key: String(key),
    value: String(value),
    headers: Object.fromEntries(texts) as Record<string, string>,
  };
}
