import { createRequire } from 'node:module';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { Logger } from '@watchword/observability';
import {
  type Admin,
  type Consumer,
  type EachBatchPayload,
  type IHeaders,
  type ISocketFactory,
  Kafka,
  type LogEntry,
  logLevel,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs';

/**
 * The only file that imports the Kafka client, kafkajs 2.2.4. It re-exports what this folder uses,
 * with the corrections that the client needs.
 */
export type { Admin, Consumer, EachBatchPayload, IHeaders, Producer };
/** Node finds no named exports in this package. */
export const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } =
  createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

export interface KafkaConnectionOptions {
  /** `host:port` of some brokers. The client finds the others. */
  brokers: readonly string[];
  /** Name in the brokers' logs and quotas. */
  clientId: string;
  logger: Logger;
  ssl?: boolean | TlsOptions;
  sasl?: SASLOptions;
  /**
   * Creates the sockets instead of `node:net` and `node:tls`, for proxies and for tests that cut
   * connections.
   */
  socketFactory?: ISocketFactory;
}

export interface ConsumerSettings {
  group: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
}

/** Milliseconds for one request. A hanging broker is dropped after a few of them. */
export const REQUEST_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** Short, because callers retry for longer and start anew. */
const RETRY = { initialRetryTime: 50, maxRetryTime: 1_000, retries: 5 };

/**
 * Milliseconds that the broker holds an empty fetch open. A message ends it at once, so it adds no
 * latency. It bounds how late a member notices a rebalance or leaves.
 */
const FETCH_WAIT_MS = 200;
const FETCH_BYTES_MAX = 4 * 1024 * 1024;
const FETCH_BYTES_PER_PARTITION_MAX = 512 * 1024;

/** The partitioner only counts partitions where a message has a key. */
const SOME_PARTITION = { partitionErrorCode: 0, partitionId: 0, leader: 0, replicas: [], isr: [] };

export class KafkaClient {
  private readonly kafka: Kafka;
  private readonly partitioner = Partitioners.DefaultPartitioner();

  constructor(options: KafkaConnectionOptions) {
    stopIdleSpinning();
    const { brokers, clientId, logger, ssl, sasl, socketFactory } = options;
    this.kafka = new Kafka({
      brokers: [...brokers],
      clientId,
      ssl,
      sasl,
      socketFactory,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      retry: RETRY,
      logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.NOTHING,
      logCreator: () => (entry) => writeLog(logger, entry),
    });
  }

  admin(): Admin {
    return this.kafka.admin({ retry: RETRY });
  }

  /** Returns the partition of a key, as Kafka's own clients choose it. */
  partitionOf(key: string, partitions: number): number {
    const partitionMetadata = Array.from({ length: partitions }, () => SOME_PARTITION);
    return this.partitioner({ topic: '', partitionMetadata, message: { key, value: null } });
  }

  /** The caller chooses the partition. */
  producer(): Producer {
    return this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      retry: RETRY,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition as number,
    });
  }

  consumer({ group, sessionTimeoutMs, rebalanceTimeoutMs }: ConsumerSettings): Consumer {
    return this.kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      heartbeatInterval: heartbeatIntervalMs(sessionTimeoutMs),
      minBytes: 1,
      maxBytes: FETCH_BYTES_MAX,
      maxBytesPerPartition: FETCH_BYTES_PER_PARTITION_MAX,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // `KafkaConsumer` replaces a crashed consumer itself. kafkajs treats some crashes as final.
      retry: { ...RETRY, restartOnFailure: async () => false },
    });
  }
}

export function heartbeatIntervalMs(sessionTimeoutMs: number): number {
  return Math.min(1_000, Math.floor(sessionTimeoutMs / 4));
}

/** Returns the type of Kafka's error, for example `ILLEGAL_GENERATION`. */
export function kafkaErrorType(error: unknown): string | undefined {
  return (error as { type?: string } | undefined)?.type;
}

/** kafkajs logs each try. The callers log what fails for good, so its lines are for debugging. */
function writeLog(logger: Logger, { namespace, log }: LogEntry): void {
  const { message, timestamp: _, ...fields } = log;
  logger.debug({ client: namespace, ...fields }, `kafkajs: ${message}`);
}

function requireInternal<Exported>(path: string): Exported {
  return createRequire(import.meta.url)(`kafkajs/src/${path}`) as Exported;
}

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
}

let corrected = false;

/**
 * kafkajs 2.2.4 checks for waiting requests a thousand times a second on every connection after its
 * first answer, which costs a hundredth of a core each. This patch checks only while a request
 * waits.
 */
function stopIdleSpinning(): void {
  if (corrected) return;
  corrected = true;
  type Queue = { prototype: RequestQueue & { scheduleCheckPendingRequests(): void } };
  const { prototype } = requireInternal<Queue>('network/requestQueue/index.js');
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this as never);
  };
}
