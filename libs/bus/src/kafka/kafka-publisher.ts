import { MicroBatcher } from '@watchword/batching';
import { crashPoint, type Logger } from '@watchword/observability';
import { TransientError } from '../bus.port.js';
import { type KafkaClient, type Producer, REQUEST_TIMEOUT_MS } from './kafka-client.adapter.js';
import { type KafkaRecord, sizeOf } from './kafka-record.js';
import { partitionOf } from './partitioner.js';

/** A topic as the publisher sees it. */
export interface Destination {
  name: string;
  partitions: number;
  recordBytesMax: number;
}

interface Publication {
  to: Destination;
  records: readonly KafkaRecord[];
}

/** The message never fits into a request. */
export class MessageTooLarge extends Error {
  constructor(topic: string, bytes: number) {
    super(`a message of ${bytes} bytes does not fit into ${topic}`);
    this.name = 'MessageTooLarge';
  }
}

const PUBLICATIONS_MAX = 256;
const PUBLICATIONS_WAITING_MAX = 10_000;
/**
 * Largest request in bytes. kafkajs makes one batch per partition, and brokers refuse more than 1
 * MiB.
 */
export const REQUEST_BYTES_MAX = 900_000;
/** Milliseconds until publishing fails; longer than the election of a leader. */
const SEND_PATIENCE_MS = 30_000;
/** Milliseconds for which a refusal counts; longer than the pause between endless retries. */
const REFUSAL_COUNTS_MS = SEND_PATIENCE_MS + 5_000;

/**
 * Publishes in order. Messages of the same time share a request, durable on all in-sync replicas.
 *
 * The producer is idempotent, so kafkajs' own retries are stored once. A producer that failed for
 * good is replaced: its sequence numbers may be behind the broker's, which would then drop the next
 * messages as repetitions. The messages of its last request may or may not be stored, and may be
 * stored twice when they are published again.
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
      sizeMax: PUBLICATIONS_MAX,
      queueMax: PUBLICATIONS_WAITING_MAX,
    });
  }

  /**
   * Whether Kafka refused the last publication. A refusal expires, because a rare publisher would
   * report it long after Kafka is back.
   */
  get isRefused(): boolean {
    return this.refusedAtMs !== undefined && Date.now() - this.refusedAtMs < REFUSAL_COUNTS_MS;
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
      // The publisher decides what the failure means; a relay only waits.
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

/** Splits publications into requests that brokers accept, in order. */
function* requestsOf(publications: readonly Publication[]): Generator<KafkaRequest> {
  let request: KafkaRequest = new Map();
  let bytes = 0;
  for (const { to, records } of publications) {
    for (const record of records) {
      const size = sizeOf(record);
      if (bytes > 0 && bytes + size > REQUEST_BYTES_MAX) {
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
 * Sends a request. kafkajs 2.2.4 resolves although no broker took a partition, when its leader
 * moves between two tries to a broker that has answered already. So the answer is compared with the
 * request.
 */
async function sendAll(producer: Producer, request: KafkaRequest): Promise<void> {
  const topicMessages = [...request].map(([topic, messages]) => ({ topic, messages }));
  crashPoint('kafka.publish.before-send');
  const stored = await producer.sendBatch({ acks: -1, timeout: REQUEST_TIMEOUT_MS, topicMessages });
  crashPoint('kafka.publish.after-send');
  const confirmed = new Set(stored.map(({ topicName, partition }) => `${topicName} ${partition}`));
  for (const { topic, messages } of topicMessages) {
    const missing = messages.find(({ partition }) => !confirmed.has(`${topic} ${partition}`));
    if (missing) throw new Error(`${topic} ${missing.partition} has not been confirmed`);
  }
}

/** Settles as the work does, or rejects when that takes too long. */
function inTime(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`Kafka has not answered within ${SEND_PATIENCE_MS} ms`));
    const timer = setTimeout(tooLate, SEND_PATIENCE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
