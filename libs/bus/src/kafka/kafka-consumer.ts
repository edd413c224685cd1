import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { IncomingMessage, Subscription, SubscriptionOptions } from '../bus.port.js';
import {
  BatchRunner,
  type Delivery,
  pause,
  Stopped,
  unavailableDelayMs,
  type Unreadable,
} from '../consumer/batch-runner.js';
import { readMessage } from '../consumer/read-message.js';
import {
  type Consumer,
  type EachBatchPayload,
  heartbeatIntervalMs,
  type KafkaClient,
  kafkaErrorType,
} from './kafka-client.adapter.js';
import type { KafkaDeadLetters } from './kafka-dead-letters.js';
import { type FetchedRecord, receivedRecord } from './kafka-record.js';
import { kafkaGroupOf } from './kafka-topics.js';

export interface KafkaConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  client: KafkaClient;
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  deadLetters: KafkaDeadLetters;
  logger: Logger;
  sessionTimeoutMs: number;
}

interface FetchedDelivery extends Delivery {
  readonly fetched: FetchedRecord;
}

/** Milliseconds in which members finish their batches and rejoin. */
const REBALANCE_TIMEOUT_MS = 30_000;
/** Partitions whose batches are handled at the same time. */
const PARTITIONS_AT_ONCE = 4;
/** Milliseconds without a membership after which the consumer counts as cut off. */
const CUT_OFF_AFTER_MS = 5_000;
const REJOIN_DELAY_MAX_MS = 1_000;

/** Answers to a heartbeat after which the partitions may belong to another member. */
const REJOIN_TYPES = new Set([
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'REBALANCE_IN_PROGRESS',
  'UNKNOWN_MEMBER_ID',
]);

/**
 * One group's consumer of one topic. A crashed consumer of kafkajs is replaced: it treats some
 * crashes as final. Replayed dead letters arrive on the dead-letter topic, marked for a group.
 *
 * A batch of a partition is handled completely, then its offset is committed. Heartbeats continue
 * meanwhile; when the group rebalances, a batch that is being retried is left to the next owner of
 * the partition. kafkajs rejoins once all batches have ended.
 */
export class KafkaConsumer implements Subscription {
  /** Resolves at the first assignment of partitions. */
  readonly joined: Promise<void>;

  private readonly stopping = new AbortController();
  private readonly stopped = Promise.withResolvers<undefined>();
  private readonly life: Promise<void>;
  private onJoined: () => void = () => undefined;
  private memberlessSince: number | undefined = Date.now();

  constructor(private readonly options: KafkaConsumerOptions) {
    this.joined = new Promise((resolve) => (this.onJoined = resolve));
    this.stopping.signal.addEventListener('abort', () => this.stopped.resolve(undefined));
    this.life = this.live();
  }

  get isCutOff(): boolean {
    const { memberlessSince } = this;
    return memberlessSince !== undefined && Date.now() - memberlessSince > CUT_OFF_AFTER_MS;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.life;
  }

  private async live(): Promise<void> {
    const { client, topic, group, logger, sessionTimeoutMs } = this.options;
    const { signal } = this.stopping;
    let failures = 0;
    while (!signal.aborted) {
      const consumer = client.consumer({
        group: kafkaGroupOf(topic, group),
        sessionTimeoutMs,
        rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      });
      consumer.on(consumer.events.GROUP_JOIN, () => {
        this.memberlessSince = undefined;
        failures = 0;
        this.onJoined();
      });
      const reason = await Promise.race([this.consume(consumer), this.stopped.promise]);
      await consumer.disconnect().catch(() => undefined);
      if (signal.aborted) return;
      this.memberlessSince ??= Date.now();
      logger.warn({ topic: topic.name, group, err: reason }, 'consumer ended, joining again');
      failures += 1;
      const delayMs = unavailableDelayMs(failures, REJOIN_DELAY_MAX_MS);
      await pause(delayMs, signal).catch(() => undefined);
    }
  }

  /** Resolves with the reason when the consumer ends. */
  private async consume(consumer: Consumer): Promise<unknown> {
    const { topic } = this.options;
    const crashed = new Promise((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
    });
    try {
      await consumer.connect();
      const topics = [topic.name, deadLetterTopicName(topic)];
      await consumer.subscribe({ topics, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
        eachBatch: (payload) => this.take(payload),
      });
    } catch (error) {
      return error;
    }
    return crashed;
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const { batch, heartbeat, isRunning, isStale, resolveOffset } = payload;
    const { topic, partition, messages } = batch;
    const { batchSizeMax, sessionTimeoutMs } = this.options;
    const interruption = new AbortController();
    const beating = setInterval(
      () => {
        heartbeat().catch((error: unknown) => {
          if (REJOIN_TYPES.has(kafkaErrorType(error) ?? '')) interruption.abort(error);
        });
      },
      heartbeatIntervalMs(sessionTimeoutMs) / 2,
    );
    const signal = AbortSignal.any([this.stopping.signal, interruption.signal]);
    try {
      for (let from = 0; from < messages.length; from += batchSizeMax) {
        if (signal.aborted || !isRunning() || isStale()) break;
        const records = messages.slice(from, from + batchSizeMax).map((message) => ({
          at: { topic, partition, offset: message.offset },
          record: receivedRecord(message),
        }));
        await this.handle(records, signal);
        const { offset } = records.at(-1)!.at;
        resolveOffset(offset);
        const partitions = [{ partition, offset: String(BigInt(offset) + 1n) }];
        await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      clearInterval(beating);
    }
    if (interruption.signal.aborted) throw interruption.signal.reason;
  }

  private async handle(records: readonly FetchedRecord[], signal: AbortSignal): Promise<void> {
    const { topic, group, attemptsMax, logger, handle, deadLetters } = this.options;
    const runner = new BatchRunner<FetchedDelivery>({
      about: { topic: topic.name, group },
      logger,
      attemptsMax,
      handle,
      bury: ({ fetched, attempts }, reason) =>
        deadLetters.bury(topic, group, { fetched, attempts, reason }),
      signal,
    });
    const deliveries: FetchedDelivery[] = [];
    const unreadable: Unreadable<FetchedDelivery>[] = [];
    for (const fetched of records) {
      if (fetched.at.topic !== topic.name && !deadLetters.isReplayFor(group, fetched)) continue;
      const { message, problem } = this.read(fetched);
      const delivery = { fetched, message, attempts: 0 };
      if (problem === undefined) deliveries.push(delivery);
      else unreadable.push({ delivery, problem });
    }
    await runner.run(deliveries, unreadable);
  }

  private read({ record, at }: FetchedRecord) {
    const { key, value: payload, headers } = record;
    const { ce_id: id, ce_type: type, ce_time: time, traceparent } = headers;
    if (id !== undefined && type !== undefined && time !== undefined)
      return readMessage(this.options.topic, { id, key, type, time, traceparent, payload });
    const place = `${at.topic}/${at.partition}/${at.offset}`;
    return {
      message: { id: id ?? place, key, type: type ?? '', time: time ?? '', payload: undefined },
      problem: 'the headers are not those of a CloudEvent',
    };
  }
}
