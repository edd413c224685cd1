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
  type Producer,
  type RecordMetadata,
  type SASLOptions,
} from 'kafkajs';

/**
 * The only file that imports the Kafka client, kafkajs 2.2.4. It re-exports what this folder uses,
 * with the corrections that the client needs.
 */
export type { Admin, Consumer, EachBatchPayload, IHeaders, Producer, RecordMetadata };
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

export class KafkaClient {
  private readonly kafka: Kafka;

  constructor(options: KafkaConnectionOptions) {
    correctKafkajs();
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
      logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.WARN,
      logCreator: () => (entry) => writeLog(logger, entry),
    });
  }

  admin(): Admin {
    return this.kafka.admin({ retry: RETRY });
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
      // `GroupMember` replaces a crashed consumer itself. kafkajs treats some crashes as final.
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

/**
 * Errors of every rebalance and of every broker that starts. kafkajs reports them and handles them
 * well.
 */
const ROUTINE_TYPES = new Set([
  'COORDINATOR_LOAD_IN_PROGRESS',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'ILLEGAL_GENERATION',
  'LEADER_NOT_AVAILABLE',
  'MEMBER_ID_REQUIRED',
  'NOT_COORDINATOR_FOR_GROUP',
  'NOT_LEADER_FOR_PARTITION',
  'REBALANCE_IN_PROGRESS',
  'UNKNOWN_MEMBER_ID',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);

/** Returns whether the error passes within moments. Many in a row are no routine. */
export function isRoutine(error: unknown): boolean {
  return ROUTINE_TYPES.has(kafkaErrorType(error) ?? '');
}

const { errorCodes } = requireInternal<{ errorCodes: { type: string; message: string }[] }>(
  'protocol/error.js',
);
const routineTexts = errorCodes
  .filter(({ type }) => ROUTINE_TYPES.has(type))
  .map(({ message }) => message)
  .concat('The group is rebalancing', 'Limiting retries for the idempotent producer');

/**
 * Loggers that report each try while a broker is unavailable, and crashes that this process logs
 * itself.
 */
const ROUTINE_NAMESPACES = new Set(['BrokerPool', 'Connection', 'Consumer', 'RequestQueue']);

/**
 * Logs one level below kafkajs: these are retries, and the caller logs an error after the last one.
 */
function writeLog(logger: Logger, { namespace, level, log }: LogEntry): void {
  const { message, error, broker, groupId, retryCount } = log as KafkaLog;
  const said = error === undefined ? message : `${message}: ${error}`;
  const isRoutineLine =
    ROUTINE_NAMESPACES.has(namespace) ||
    // The namespace ends with the mechanism.
    namespace.startsWith('SaslAuthenticator') ||
    routineTexts.some((text) => said.includes(text));
  const ours = level === logLevel.ERROR && !isRoutineLine ? 'warn' : 'debug';
  logger[ours]({ client: namespace, broker, group: groupId, retryCount }, `kafkajs: ${said}`);
}

interface KafkaLog {
  message: string;
  error?: string;
  broker?: string;
  groupId?: string;
  retryCount?: number;
}

function requireInternal<Exported>(path: string): Exported {
  return createRequire(import.meta.url)(`kafkajs/src/${path}`) as Exported;
}

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
}

let corrected = false;

function correctKafkajs(): void {
  if (corrected) return;
  corrected = true;
  stopIdleSpinning();
  overlookStrangersTroubles();
}

/**
 * kafkajs 2.2.4 checks for waiting requests a thousand times a second on every connection after its
 * first answer, which costs a hundredth of a core each. This patch checks only while a request
 * waits.
 */
function stopIdleSpinning(): void {
  type Queue = { prototype: RequestQueue & { scheduleCheckPendingRequests(): void } };
  const { prototype } = requireInternal<Queue>('network/requestQueue/index.js');
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this as never);
  };
}

interface TopicMetadata {
  topicErrorCode: number;
  partitionMetadata: { partitionErrorCode: number }[];
}

interface MetadataAnswer {
  topicMetadata: TopicMetadata[];
}

interface MetadataCall {
  response: { parse(answer: MetadataAnswer): Promise<MetadataAnswer> };
}

/**
 * To find the brokers, kafkajs 2.2.4 asks for the metadata of every topic in the cluster, and fails
 * when one has no leader. One dead topic of another owner would keep every producer from
 * connecting. This patch treats a topic with an error as one without partitions, because a part of
 * a topic would be taken for the whole. A caller that needs the topic asks for it by name and gets
 * the error.
 */
function overlookStrangersTroubles(): void {
  type Version = (request: { topics: string[] }) => MetadataCall;
  type Metadata = { protocol(which: { version: number }): Version };
  const metadata = requireInternal<Metadata>('protocol/requests/metadata/index.js');
  const protocol = metadata.protocol;
  metadata.protocol = (which) => (request) => {
    const call = protocol(which)(request);
    if (request.topics.length > 0) return call;
    const { response } = call;
    return {
      ...call,
      response: { ...response, parse: (answer) => response.parse(withoutErrors(answer)) },
    };
  };
}

function withoutErrors(answer: MetadataAnswer): MetadataAnswer {
  const topicMetadata = answer.topicMetadata.map((topic) =>
    isInOrder(topic) ? topic : { ...topic, topicErrorCode: 0, partitionMetadata: [] },
  );
  return { ...answer, topicMetadata };
}

function isInOrder({ topicErrorCode, partitionMetadata }: TopicMetadata): boolean {
  const codes = partitionMetadata.map(({ partitionErrorCode }) => partitionErrorCode);
  return [topicErrorCode, ...codes].every((code) => code === 0);
}
