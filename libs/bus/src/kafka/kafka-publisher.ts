import { withDeadline } from '@watchword/batching';
import { crashPoint } from '@watchword/observability';
import { TransientError } from '../bus.port.js';
import { type KafkaClient, type Producer, REQUEST_TIMEOUT_MS } from './kafka-client.adapter.js';
import { type KafkaRecord, sizeOf } from './kafka-record.js';

/** A topic as the publisher sees it. */
export interface Destination {
  name: string;
  partitions: number;
}

/**
 * Largest request in bytes. kafkajs makes one batch per partition, and brokers refuse more than 1
 * MiB.
 */
const REQUEST_BYTES_MAX = 900_000;
/** Milliseconds until publishing fails; longer than the election of a leader. */
const SEND_TIMEOUT_MS = 30_000;

/**
 * Publishes in order, one request at a time, durable on all in-sync replicas.
 *
 * The producer is idempotent, so kafkajs' own retries are stored once. A producer that failed is
 * replaced: its sequence numbers may be behind the broker's, which would then drop the next
 * messages as repetitions. The messages of its last request may be stored twice when they are
 * published again.
 */
export class KafkaPublisher {
  private producer: Promise<Producer> | undefined;
  private sending: Promise<void> = Promise.resolve();
  /** Whether Kafka has not taken the last publication. */
  hasFailed = false;

  constructor(private readonly client: KafkaClient) {}

  async publish(to: Destination, records: readonly KafkaRecord[]): Promise<void> {
    if (records.length === 0) return;
    const sent = this.sending.then(() => this.sendAll(to, records));
    this.sending = sent.catch(() => undefined);
    await sent;
  }

  async close(): Promise<void> {
    await this.sending;
    const producer = await this.producer?.catch(() => undefined);
    await producer?.disconnect();
  }

  private async sendAll(to: Destination, records: readonly KafkaRecord[]): Promise<void> {
    this.producer ??= this.connect();
    const { producer } = this;
    const late = () => new Error(`Kafka has not answered within ${SEND_TIMEOUT_MS} ms`);
    try {
      for (const request of requestsOf(records)) {
        const sent = producer.then((connected) => this.send(connected, to, request));
        await withDeadline(sent, SEND_TIMEOUT_MS, late);
      }
      this.hasFailed = false;
    } catch (error) {
      this.hasFailed = true;
      this.producer = undefined;
      void producer.then((failed) => failed.disconnect()).catch(() => undefined);
      throw new TransientError('Kafka has not taken the messages', error);
    }
  }

  private async connect(): Promise<Producer> {
    const producer = this.client.producer();
    await producer.connect();
    return producer;
  }

  /**
   * kafkajs 2.2.4 resolves although no broker took a partition, when its leader moves between two
   * tries to a broker that has answered already. So the answer is compared with the request.
   */
  private async send(
    producer: Producer,
    { name: topic, partitions }: Destination,
    records: readonly KafkaRecord[],
  ): Promise<void> {
    const messages = records.map((record) => ({
      ...record,
      partition: this.client.partitionOf(record.key, partitions),
    }));
    crashPoint('kafka.publish.before-send');
    const stored = await producer.send({ topic, messages, acks: -1, timeout: REQUEST_TIMEOUT_MS });
    crashPoint('kafka.publish.after-send');
    const confirmed = new Set(stored.map(({ partition }) => partition));
    const missing = messages.find(({ partition }) => !confirmed.has(partition));
    if (missing) throw new Error(`${topic} ${missing.partition} has not been confirmed`);
  }
}

/** Splits records into requests that brokers accept, in order. */
function* requestsOf(records: readonly KafkaRecord[]): Generator<KafkaRecord[]> {
  let request: KafkaRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (bytes > 0 && bytes + size > REQUEST_BYTES_MAX) {
      yield request;
      request = [];
      bytes = 0;
    }
    bytes += size;
    request.push(record);
  }
  if (bytes > 0) yield request;
}
