import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { awayDelayMs, BatchRunner, type Delivery, pause } from '../batch-runner.js';
import type { IncomingMessage, Subscription, SubscriptionOptions } from '../bus.port.js';
import { parsePayload } from '../message-parser.js';
import { type FetchedRecord, GroupMember } from './group-member.js';
import type { KafkaClient } from './kafka-client.adapter.js';
import type { KafkaDeadLetters } from './kafka-dead-letters.js';
import { kafkaGroupOf } from './kafka-topics.js';

export interface KafkaConsumerOptions extends Required<SubscriptionOptions> {
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

/** For the members to finish what they have in hand and come to the next round. */
const rebalanceTimeoutMs = 30_000;

const worryAfterMs = 1_500;

/**
 * One group's part in one topic: a member of the group, replaced by a new one when it crashes.
 * Dead letters that are to be handled again come through the dead-letter topic, marked for a group.
 */
export class KafkaConsumer implements Subscription {
  /** Resolves when the group has given us our partitions for the first time. */
  readonly joined: Promise<void>;

  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;
  private member: GroupMember | undefined;
  private onJoined: () => void = () => undefined;
  private wrongSince: number | undefined;
  private worried = false;

  constructor(private readonly options: KafkaConsumerOptions) {
    this.joined = new Promise((resolve) => (this.onJoined = resolve));
    this.finished = this.live();
  }

  /** Whether it has not been able to consume for longer than a change of the coordinator takes. */
  get isCutOff(): boolean {
    return this.wrongSince !== undefined && Date.now() - this.wrongSince > worryAfterMs;
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await this.member?.leave();
    await this.finished;
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async live(): Promise<void> {
    const left = new Promise<undefined>((resolve) =>
      this.stopping.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    for (let failures = 0; !this.stopped; failures += 1) {
      const member = this.newMember();
      this.member = member;
      void member.joined.then(() => {
        failures = 0;
        this.goesWell();
      });
      const crashed = member.start().then(
        () => member.crashed,
        (error: unknown) => error,
      );
      const reason = await Promise.race([crashed, left]);
      if (this.stopped) return;
      this.goesWrong(reason);
      await member.leave();
      await pause(awayDelayMs(failures), this.stopping.signal).catch(() => undefined);
    }
  }

  private goesWell(): void {
    const { topic, group, logger } = this.options;
    if (this.worried) logger.info({ topic: topic.name, group }, 'consuming again');
    this.worried = false;
    this.wrongSince = undefined;
    this.onJoined();
  }

  /** A coordinator that is moving or loading is back within moments. */
  private goesWrong(reason: unknown): void {
    const { topic, group, logger } = this.options;
    this.wrongSince ??= Date.now();
    const isNews = !this.worried && Date.now() - this.wrongSince > worryAfterMs;
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
        rebalanceTimeoutMs,
      }),
      topics: [topic.name, deadLetterTopicName(topic)],
      partitionsMax: topic.partitions + 1,
      batchSizeMax,
      sessionTimeoutMs,
      rebalanceTimeoutMs,
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
    for (const fetched of records) {
      if (fetched.at.topic !== topic.name && !deadLetters.isReplayFor(group, fetched)) continue;
      const { message, problem } = this.read(fetched);
      const delivery = { fetched, message, attempts: 0 };
      if (problem === undefined) deliveries.push(delivery);
      else await runner.bury(delivery, problem);
    }
    await runner.run(deliveries);
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
