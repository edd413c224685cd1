import { MicroBatcher } from '@watchword/batching';
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

/** The fetched messages of one partition. */
interface PartitionBatch {
  readonly payload: EachBatchPayload;
  readonly signal: AbortSignal;
}

interface FetchedDelivery extends Delivery {
  readonly fetched: FetchedRecord;
}

/** Milliseconds in which members finish their batches and rejoin. */
const REBALANCE_TIMEOUT_MS = 30_000;
/** More than a topic and its dead letters have, so that a whole fetch is handled together. */
const PARTITIONS_MAX = 64;
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
 * kafkajs hands over the messages of a fetch partition by partition. They are handled together, with
 * one commit of all offsets, because each partition alone has few messages and costs as many
 * statements. Heartbeats continue meanwhile; when the group rebalances, a batch that is being retried
 * is left to the next owners of the partitions. kafkajs rejoins once all batches have ended.
 */
export class KafkaConsumer implements Subscription {
  /** Resolves at the first assignment of partitions. */
  readonly joined: Promise<void>;

  private readonly stopping = new AbortController();
  private readonly stopped = Promise.withResolvers<undefined>();
  private readonly life: Promise<void>;
  private readonly batches: MicroBatcher<PartitionBatch, void>;
  private onJoined: () => void = () => undefined;
  private memberlessSince: number | undefined = Date.now();

  constructor(private readonly options: KafkaConsumerOptions) {
    this.batches = new MicroBatcher({
      name: `the consumer of ${options.group}`,
      flush: (batches) => this.handleAll(batches),
      sizeMax: PARTITIONS_MAX,
      queueMax: PARTITIONS_MAX,
    });
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
        partitionsConsumedConcurrently: PARTITIONS_MAX,
        eachBatch: (payload) => this.take(payload),
      });
    } catch (error) {
      return error;
    }
    return crashed;
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    const interruption = new AbortController();
    const beating = setInterval(
      () => {
        payload.heartbeat().catch((error: unknown) => {
          if (REJOIN_TYPES.has(kafkaErrorType(error) ?? '')) interruption.abort(error);
        });
      },
      heartbeatIntervalMs(this.options.sessionTimeoutMs) / 2,
    );
    const signal = AbortSignal.any([this.stopping.signal, interruption.signal]);
    try {
      await this.batches.submit({ payload, signal });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      clearInterval(beating);
    }
    if (interruption.signal.aborted) throw interruption.signal.reason;
  }

  private async handleAll(batches: readonly PartitionBatch[]): Promise<void[]> {
    const signal = AbortSignal.any(batches.map((batch) => batch.signal));
    const records = batches.flatMap(({ payload: { batch } }) =>
      batch.messages.map((message) => ({
        at: { topic: batch.topic, partition: batch.partition, offset: message.offset },
        record: receivedRecord(message),
      })),
    );
    const { batchSizeMax } = this.options;
    for (let from = 0; from < records.length; from += batchSizeMax) {
      if (signal.aborted) throw new Stopped();
      await this.handle(records.slice(from, from + batchSizeMax), signal);
    }
    await commit(batches);
    return batches.map(() => undefined);
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

/**
 * Commits the offsets after the last message of each batch. After a failure the messages are fetched
 * again: a partition without further messages would never be committed.
 */
async function commit(batches: readonly PartitionBatch[]): Promise<void> {
  const ends = batches.flatMap(({ payload: { batch } }) => {
    const offset = batch.messages.at(-1)?.offset;
    if (offset === undefined) return [];
    const { topic, partition } = batch;
    return [{ topic, partition, offset: String(BigInt(offset) + 1n) }];
  });
  const byTopic = Map.groupBy(ends, ({ topic }) => topic);
  const topics = [...byTopic].map(([topic, partitions]) => ({ topic, partitions }));
  await batches[0]!.payload.commitOffsetsIfNecessary({ topics });
  for (const { payload } of batches) {
    const offset = payload.batch.messages.at(-1)?.offset;
    if (offset !== undefined) payload.resolveOffset(offset);
  }
}
