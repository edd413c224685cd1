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
 * The one file that imports the Kafka client, kafkajs 2.2.4: what the rest of this folder uses of it
 * goes through here, with the corrections that it needs.
 */
export type { Admin, Consumer, EachBatchPayload, IHeaders, Producer, RecordMetadata };
/** Node finds no such names among the exports of the package. */
export const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } =
  createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs');

export interface KafkaConnectionOptions {
  /** `host:port`; some of them are enough to find the others. */
  brokers: readonly string[];
  /** Shown in the brokers' logs and quotas. */
  clientId: string;
  logger: Logger;
  ssl?: boolean | TlsOptions;
  sasl?: SASLOptions;
  /** Makes the sockets instead of `node:net` and `node:tls`: proxies, and tests that cut them. */
  socketFactory?: ISocketFactory;
}

export interface ConsumerSettings {
  group: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
}

/** Of one request; a broker that hangs is given up on after a few of them. */
export const requestTimeoutMs = 5_000;
const connectTimeoutMs = 3_000;

/** Short here: callers retry for longer and start anew. */
const retry = { initialRetryTime: 50, maxRetryTime: 1_000, retries: 5 };

/**
 * How long an empty fetch is held open by the broker. It answers at once when there is a message, so
 * that this is no latency: it bounds how long a member takes to notice a rebalance, or to leave.
 */
const fetchWaitMs = 200;
const fetchBytesMax = 4 * 1024 * 1024;
const fetchBytesPerPartitionMax = 512 * 1024;

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
      connectionTimeout: connectTimeoutMs,
      requestTimeout: requestTimeoutMs,
      retry,
      logLevel: logger.isLevelEnabled('debug') ? logLevel.INFO : logLevel.WARN,
      logCreator: () => (entry) => writeLog(logger, entry),
    });
  }

  admin(): Admin {
    return this.kafka.admin({ retry });
  }

  /** The sender names the partition. */
  producer(): Producer {
    return this.kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      retry,
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
      maxBytes: fetchBytesMax,
      maxBytesPerPartition: fetchBytesPerPartitionMax,
      maxWaitTimeInMs: fetchWaitMs,
      allowAutoTopicCreation: false,
      // One that has crashed is replaced by us, see `GroupMember`: some crashes it takes for final.
      retry: { ...retry, restartOnFailure: async () => false },
    });
  }
}

export function heartbeatIntervalMs(sessionTimeoutMs: number): number {
  return Math.min(1_000, Math.floor(sessionTimeoutMs / 4));
}

/** The type of an answer of Kafka's, for example `ILLEGAL_GENERATION`. */
export function kafkaErrorType(error: unknown): string | undefined {
  return (error as { type?: string } | undefined)?.type;
}

/**
 * What happens whenever a member comes or goes, or a broker has just started. kafkajs calls it
 * errors, while it does what is right.
 */
const routineTypes = new Set([
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

/** Over within moments, unless it is said again and again. */
export function isRoutine(error: unknown): boolean {
  return routineTypes.has(kafkaErrorType(error) ?? '');
}

const { errorCodes } = requireInternal<{ errorCodes: { type: string; message: string }[] }>(
  'protocol/error.js',
);
const routineTexts = errorCodes
  .filter(({ type }) => routineTypes.has(type))
  .map(({ message }) => message)
  .concat('The group is rebalancing', 'Limiting retries for the idempotent producer');

/** Single tries while a broker is away, of every connection, and crashes that we tell of. */
const routineNamespaces = new Set(['BrokerPool', 'Connection', 'Consumer', 'RequestQueue']);

/**
 * One level lower than kafkajs has it: the caller that gives up logs an error; here it is only tried again.
 */
function writeLog(logger: Logger, { namespace, level, log }: LogEntry): void {
  const { message, error, broker, groupId, retryCount } = log as KafkaLog;
  const said = error === undefined ? message : `${message}: ${error}`;
  const isRoutineLine =
    routineNamespaces.has(namespace) ||
    // With the mechanism behind it.
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
 * kafkajs 2.2.4 looks for waiting requests a thousand times a second on every connection, for ever,
 * once one answer has come: a hundredth of a core each. Here it looks only when one waits.
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
 * To learn who the brokers are, kafkajs 2.2.4 asks about every topic of the cluster, and fails when a
 * single one has no leader: no producer would connect while another owner's topic is dead. Here a topic
 * with any error is one without partitions, for half of a topic would be taken for the whole. A caller that
 * needs it asks for it by name and gets the error.
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
