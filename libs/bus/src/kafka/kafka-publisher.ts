import { MicroBatcher } from '@watchword/batching';
import { crashPoint, type Logger } from '@watchword/observability';
import { TransientError } from '../bus.port.js';
import { type KafkaClient, type Producer, requestTimeoutMs } from './kafka-client.adapter.js';
import { type KafkaRecord, sizeOf } from './kafka-record.js';
import { partitionOf } from './partitioner.js';

/** A topic as far as publishing goes. */
export interface Destination {
  name: string;
  partitions: number;
  recordBytesMax: number;
}

interface Publication {
  to: Destination;
  records: readonly KafkaRecord[];
}

/** Will not fit, however often it is tried. */
export class MessageTooLarge extends Error {
  constructor(topic: string, bytes: number) {
    super(`a message of ${bytes} bytes does not fit into ${topic}`);
    this.name = 'MessageTooLarge';
  }
}

const publicationsMax = 256;
const publicationsWaitingMax = 10_000;
/** kafkajs makes one batch per partition of a request, and brokers refuse those above 1 MiB. */
export const requestBytesMax = 900_000;
/** Longer than the election of a new leader. Then publishing fails. */
const sendPatienceMs = 10_000;
/** Longer than the delay between two tries of an endless retry. */
const refusalCountsMs = sendPatienceMs + 5_000;

/**
 * Publishes in order, all that comes at the same time together, durable on all in-sync replicas.
 *
 * The producer is idempotent, so that what kafkajs tries again by itself is stored once. One that
 * has failed for good is thrown away: its sequence numbers may be behind the broker's, which would
 * then take the next messages for repetitions of the lost ones and drop them. What its last request
 * held may be stored or not, and may be stored twice when it is published again.
 */
export class KafkaPublisher {
  private producer: Promise<Producer> | undefined;
  private readonly batcher: MicroBatcher<Publication, void>;
  private refusedAtMs: number | undefined;

  constructor(
    private readonly client: KafkaClient,
    private readonly logger: Logger,
  ) {
    this.batcher = new MicroBatcher({
      name: 'publishing to Kafka',
      flush: (publications) => this.flush(publications),
      sizeMax: publicationsMax,
      queueMax: publicationsWaitingMax,
    });
  }

  /**
   * Whether Kafka has not taken what was published last. One who publishes seldom would go on
   * saying so when Kafka is long back, so that it counts for a while only.
   */
  get isRefused(): boolean {
    return this.refusedAtMs !== undefined && Date.now() - this.refusedAtMs < refusalCountsMs;
  }

  async publish(to: Destination, records: readonly KafkaRecord[]): Promise<void> {
    if (records.length === 0) return;
    for (const record of records) {
      const size = sizeOf(record);
      if (size > to.recordBytesMax) throw new MessageTooLarge(to.name, size);
    }
    await this.batcher.submit({ to, records });
  }

  async close(): Promise<void> {
    await this.batcher.drain();
    const producer = await this.producer?.catch(() => undefined);
    await producer?.disconnect();
  }

  private async flush(publications: readonly Publication[]): Promise<void[]> {
    for (const request of requestsOf(publications)) {
      await this.send(request);
    }
    return publications.map(() => undefined);
  }

  private async send(request: KafkaRequest): Promise<void> {
    this.producer ??= this.connect();
    const { producer } = this;
    try {
      await inTime(producer.then((connected) => sendAll(connected, request)));
      this.refusedAtMs = undefined;
    } catch (error) {
      this.refusedAtMs = Date.now();
      this.producer = undefined;
      void producer.then((failed) => failed.disconnect()).catch(() => undefined);
      // The publisher decides what it means; a relay only waits.
      this.logger.debug({ err: error }, 'Kafka has not taken what was published');
      throw new TransientError('Kafka has not taken the messages', error);
    }
  }

  private async connect(): Promise<Producer> {
    const producer = this.client.producer();
    await producer.connect();
    return producer;
  }
}

type PartitionedRecord = KafkaRecord & { partition: number };
type KafkaRequest = Map<string, PartitionedRecord[]>;

/** In order; each of a size that brokers take. */
function* requestsOf(publications: readonly Publication[]): Generator<KafkaRequest> {
  let request: KafkaRequest = new Map();
  let bytes = 0;
  for (const { to, records } of publications) {
    for (const record of records) {
      const size = sizeOf(record);
      if (bytes > 0 && bytes + size > requestBytesMax) {
        yield request;
        request = new Map();
        bytes = 0;
      }
      bytes += size;
      const together = request.get(to.name);
      const placed = { ...record, partition: partitionOf(record.key, to.partitions) };
      if (together) together.push(placed);
      else request.set(to.name, [placed]);
    }
  }
  if (bytes > 0) yield request;
}

/**
 * kafkajs 2.2.4 resolves although no broker has taken a partition when its leader moves, between two
 * tries, to a broker that has answered already. So its answer is compared with what was sent.
 */
async function sendAll(producer: Producer, request: KafkaRequest): Promise<void> {
  const topicMessages = [...request].map(([topic, messages]) => ({ topic, messages }));
  crashPoint('kafka.publish.before-send');
  const stored = await producer.sendBatch({ acks: -1, timeout: requestTimeoutMs, topicMessages });
  crashPoint('kafka.publish.after-send');
  const confirmed = new Set(stored.map(({ topicName, partition }) => `${topicName} ${partition}`));
  for (const { topic, messages } of topicMessages) {
    const missing = messages.find(({ partition }) => !confirmed.has(`${topic} ${partition}`));
    if (missing) throw new Error(`${topic} ${missing.partition} has not been confirmed`);
  }
}

/** Resolves or rejects as the work does, or rejects when that takes too long. */
function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`Kafka has not answered within ${sendPatienceMs} ms`));
    const timer = setTimeout(tooLate, sendPatienceMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
