import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import {
  unavailableDelayMs,
  BatchRunner,
  type Delivery,
  pause,
  type Unreadable,
} from '../consumer/batch-runner.js';
import type { IncomingMessage, Subscription, SubscriptionOptions } from '../bus.port.js';
import { parsePayload } from '../consumer/message-parser.js';
import { type FetchedRecord, GroupMember } from './group-member.js';
import type { KafkaClient } from './kafka-client.adapter.js';
import type { KafkaDeadLetters } from './kafka-dead-letters.js';
import { kafkaGroupOf } from './kafka-topics.js';

export interface KafkaConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  client: KafkaClient;
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  deadLetters: KafkaDeadLetters;
  logger: Logger;
  sessionTimeoutMs: number;
}

export interface FetchedDelivery extends Delivery {
  readonly fetched: FetchedRecord;
}

/** Milliseconds in which members finish their batches and rejoin. */
const REBALANCE_TIMEOUT_MS = 30_000;

const WORRY_AFTER_MS = 1_500;
/** Milliseconds. A member that joins and crashes repeatedly is not steady. */
const STEADY_AFTER_MS = 2_000;
const REJOIN_DELAY_MAX_MS = 1_000;

/**
 * One group's consumer of one topic: a member of the group, replaced when it crashes.
 *
 * States: steady (in the group for a while), unsteady (since a crash, until the next member has
 * been in for a while), stopped. Replayed dead letters arrive on the dead-letter topic, marked for
 * a group.
 */
export class KafkaConsumer implements Subscription {
  /** Resolves at the first assignment of partitions. */
  readonly joined: Promise<void>;

  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;
  private member: GroupMember | undefined;
  private onJoined: () => void = () => undefined;
  private isIn = false;
  private unsteadySince: number | undefined;
  private failures = 0;
  private worried = false;

  constructor(private readonly options: KafkaConsumerOptions) {
    this.joined = new Promise((resolve) => (this.onJoined = resolve));
    this.finished = this.live();
  }

  /** Whether it has failed to consume for longer than a change of the coordinator takes. */
  get isCutOff(): boolean {
    return this.isLongUnsteady && (this.worried || !this.isIn);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.member?.leave();
    await this.finished;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private get isLongUnsteady(): boolean {
    return this.unsteadySince !== undefined && Date.now() - this.unsteadySince > WORRY_AFTER_MS;
  }

  private async live(): Promise<void> {
    const left = new Promise<undefined>((resolve) =>
      this.stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    while (!this.stopped) {
      const member = this.newMember();
      this.member = member;
      const life = new AbortController();
      void member.joined.then(() => this.takenIn(life.signal));
      const refused = member.start().then(
        () => left,
        (error: unknown) => error,
      );
      const reason = await Promise.race([refused, member.crashed, left]);
      life.abort();
      if (this.stopped) return;
      this.fellOut(reason);
      await member.leave();
      const delayMs = unavailableDelayMs(this.failures, REJOIN_DELAY_MAX_MS);
      await pause(delayMs, this.stopping.signal).catch(() => undefined);
      this.failures += 1;
    }
  }

  /** Handles a completed join. A member that has crashed meanwhile is ignored. */
  private takenIn(life: AbortSignal): void {
    if (life.aborted) return;
    this.isIn = true;
    this.onJoined();
    void pause(STEADY_AFTER_MS, life).then(
      () => this.steadied(),
      () => undefined,
    );
  }

  private steadied(): void {
    const { topic, group, logger } = this.options;
    if (this.worried) logger.info({ topic: topic.name, group }, 'consuming again');
    this.worried = false;
    this.unsteadySince = undefined;
    this.failures = 0;
  }

  /**
   * Handles a crash. A coordinator that moves or loads is back within moments, so that is not
   * logged at once.
   */
  private fellOut(reason: unknown): void {
    const { topic, group, logger } = this.options;
    this.isIn = false;
    this.unsteadySince ??= Date.now();
    const isNews = !this.worried && this.isLongUnsteady;
    if (isNews) this.worried = true;
    const fields = { topic: topic.name, group, err: reason };
    logger[isNews ? 'warn' : 'debug'](fields, 'cannot consume');
  }

  private newMember(): GroupMember {
    const { client, topic, group, batchSizeMax, logger, sessionTimeoutMs } = this.options;
    return new GroupMember({
      consumer: client.consumer({
        group: kafkaGroupOf(topic, group),
        sessionTimeoutMs,
        rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      }),
      topics: [topic.name, deadLetterTopicName(topic)],
      partitionsMax: topic.partitions + 1,
      batchSizeMax,
      sessionTimeoutMs,
      rebalanceTimeoutMs: REBALANCE_TIMEOUT_MS,
      logger,
      handle: (records, signal) => this.handle(records, signal),
    });
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

  private read({ record, at }: FetchedRecord): { message: IncomingMessage; problem?: string } {
    const { key, value, headers } = record;
    const { ce_id: id, ce_type: type, ce_time: time, traceparent } = headers;
    const message: IncomingMessage = {
      id: id ?? `${at.topic}/${at.partition}/${at.offset}`,
      key,
      type: type ?? '',
      time: time ?? '',
      traceparent,
      payload: undefined,
    };
    if (id === undefined || type === undefined || time === undefined) {
      return { message, problem: 'the headers are not those of a CloudEvent' };
    }
    const parsed = parsePayload(this.options.topic, type, value);
    if (parsed.problem !== undefined) return { message, problem: parsed.problem };
    return { message: { ...message, payload: parsed.payload } };
  }
}
