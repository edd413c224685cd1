import type { Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { BatchRunner, type Delivery, reasonOf, type Unreadable } from '../consumer/batch-runner.js';
import type { IncomingMessage, OutgoingMessage, SubscriptionOptions } from '../bus.port.js';
import type { DeadLetterStore } from './dead-letter.store.js';
import { DirectLane, type HandedMessage } from '../hand-over/direct-lane.js';
import type { SweptRow } from './log-sweep.js';
import type { Leases } from '../outbox/leases.js';
import { LogFollower } from '../outbox/log-follower.js';
import { readHanded, readMessage, type ReadMessage } from '../consumer/read-message.js';
import type { OffsetStore } from './offset.store.js';
import type { LogEntry, LogPosition, OutboxReader } from '../outbox/outbox-reader.js';

export interface LogConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  canWait: SubscriptionOptions['canWait'];
  /** Milliseconds for which a message waits for the next one, where it can. */
  waitMs: number;
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  logger: Logger;
  reader: OutboxReader;
  offsets: OffsetStore;
  deadLetters: DeadLetterStore;
  leases: Leases;
  /** Milliseconds to sleep without a ring. Short while notifications cannot arrive. */
  sleepMs: () => number;
}

/** Most batches of messages without a row that are handled at a time. More of them go into the log. */
const STRAIGHT_MAX = 1_000;

interface LoggedDelivery extends Delivery {
  readonly entry: LogEntry;
}

/**
 * One group's reader of one topic's log; see `LogFollower`. Replayed dead letters come first.
 *
 * A message handed over in this process is handled at once, if the whole log was read. Its id is
 * remembered until the sweep has found its row; see `LogSweep`. If that handling fails, the message
 * is read from the log, from which retries and dead letters are made.
 *
 * Straight messages (`StraightPublisher`) pass all of this by: several of their batches may be
 * handled at a time.
 */
export class LogConsumer {
  private readonly follower: LogFollower;
  private readonly runner: BatchRunner<LoggedDelivery>;
  private readonly lane = new DirectLane();
  /** Batches of messages without a row that are being handled. */
  private readonly straight = new Set<Promise<boolean>>();
  private waiting: NodeJS.Timeout | undefined;
  private replayAsked = false;
  private readonly startedAt = Date.now();
  /** Messages of the batch that was read from the log and is being handled. What is older than this process does not count. */
  private readFromLog = 0;
  /** Id of a row found in the log that was not handed over by then. */
  private suspect: string | undefined;

  constructor(private readonly options: LogConsumerOptions) {
    const { topic, group, attemptsMax, logger, deadLetters, reader, offsets } = options;
    this.follower = new LogFollower({
      name: `${topic.name} ${group}`,
      leases: options.leases,
      logger,
      batchSizeMax: options.batchSizeMax,
      sleepMs: options.sleepMs,
      load: () => {
        this.replayAsked = true;
        return offsets.load(topic, group);
      },
      read: (after, limit) => reader.read(after, limit),
      process: (entries) => this.process(entries),
      advance: (from, to) => offsets.advance(topic, group, from, to),
      asideFirst: () => this.replay(),
      direct: {
        hasWork: () => this.lane.hasWork,
        run: () => this.handleDirectly(),
        drop: () => this.lane.drop(),
      },
    });
    this.runner = new BatchRunner({
      about: { topic: topic.name, group },
      logger,
      attemptsMax,
      handle: (batch) => this.handleOfLog(batch),
      bury: ({ entry, attempts }, reason) =>
        deadLetters.bury(topic, group, { entry, attempts, reason }),
      signal: this.follower.signal,
    });
    this.follower.start();
  }

  /** Signals that there may be something to read. */
  wake(): void {
    this.follower.wake();
  }

  /** Whether it is the consumer of its group. */
  get isLive(): boolean {
    return this.follower.isLive;
  }

  /** Messages that are being handled or could be. Those that wait for the next one on purpose do not count. */
  get inHand(): number {
    return this.readFromLog + (this.waiting === undefined ? this.lane.inHand : 0);
  }

  /** Returns false when the messages are left to the log, which it then reads. */
  handOver(messages: readonly HandedMessage[]): boolean {
    if (this.follower.caughtUpAt && this.lane.offer(messages)) {
      if (this.canWait(messages)) this.waiting ??= this.nudgeLater();
      else this.nudge();
      return true;
    }
    this.follower.wake();
    return false;
  }

  /**
   * Handles messages without a row, beside all others, because they may come in any order. Resolves
   * with whether they were handled; those that were not belong into the log.
   */
  async handleStraight(messages: readonly OutgoingMessage[]): Promise<boolean> {
    if (!this.isLive || this.straight.size >= STRAIGHT_MAX) return false;
    const handling = this.isHandled(messages.map((message) => ({ message })));
    this.straight.add(handling);
    const isHandled = await handling;
    this.straight.delete(handling);
    return isHandled;
  }

  private nudgeLater(): NodeJS.Timeout {
    return setTimeout(() => this.nudge(), this.options.waitMs).unref();
  }

  private nudge(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.follower.nudge();
  }

  /** Returns whether the messages may wait. A message that cannot be parsed may not. */
  private canWait(messages: readonly HandedMessage[]): boolean {
    const { canWait } = this.options;
    if (canWait === undefined) return false;
    return messages.every((handed) => {
      const { message, problem } = this.read(handed);
      return problem === undefined && canWait(message.payload);
    });
  }

  private read(handed: HandedMessage): ReadMessage {
    handed.parsed ??= readHanded(this.options.topic, handed.message);
    return handed.parsed;
  }

  /** The position from which the sweep must look. Undefined when there is nothing to sweep. */
  get sweptFrom(): LogPosition | undefined {
    return this.follower.caughtUpAt;
  }

  /**
   * Passes the next rows, in order, that were handled when handed over. Returns the new position. A
   * row that is not handed over by the next look is read from the log.
   */
  sweep(rows: readonly SweptRow[]): LogPosition | undefined {
    let to: LogPosition | undefined;
    for (const { at, id } of rows) {
      if (this.lane.isComing(id)) return to;
      if (!this.lane.pass(id)) {
        if (this.suspect === id) this.follower.wake();
        this.suspect = id;
        return to;
      }
      to = at;
    }
    this.suspect = undefined;
    return to;
  }

  get isUnswept(): boolean {
    return this.lane.isUnswept;
  }

  get isSuspicious(): boolean {
    return this.suspect !== undefined;
  }

  moveTo(position: LogPosition, stored: Promise<boolean>): void {
    this.follower.moveTo(position, stored);
  }

  /** Signals that there may be dead letters to replay. */
  wakeForReplay(): void {
    this.replayAsked = true;
    this.follower.wake();
  }

  async close(): Promise<void> {
    clearTimeout(this.waiting);
    await this.follower.close();
    await Promise.all(this.straight);
  }

  private async process(entries: readonly LogEntry[]): Promise<void> {
    await this.handle(entries.filter(({ id }) => !this.lane.pass(id)));
    this.lane.noteRead(entries.map(({ id }) => id));
  }

  private async handle(entries: readonly LogEntry[]): Promise<void> {
    const deliveries: LoggedDelivery[] = [];
    const unreadable: Unreadable<LoggedDelivery>[] = [];
    for (const entry of entries) {
      const { message, problem } = readMessage(this.options.topic, entry);
      const delivery = { entry, message, attempts: 0 };
      if (problem === undefined) deliveries.push(delivery);
      else unreadable.push({ delivery, problem });
    }
    await this.runner.run(deliveries, unreadable);
  }

  private async handleOfLog(batch: IncomingMessage[]): Promise<void> {
    const isOfBefore = Date.parse(batch[0]?.time ?? '') < this.startedAt;
    this.readFromLog = isOfBefore ? 0 : batch.length;
    try {
      await this.options.handle(batch);
    } finally {
      this.readFromLog = 0;
    }
  }

  /** Returns false when the handling failed. */
  private async handleDirectly(): Promise<boolean> {
    const batch = this.lane.take(this.options.batchSizeMax);
    const isHandled = await this.isHandled(batch);
    this.lane.settle(batch, isHandled);
    return isHandled;
  }

  /** Handles messages that were not read from the log. Returns whether that worked; never rejects. */
  private async isHandled(batch: readonly HandedMessage[]): Promise<boolean> {
    const { options: consumer } = this;
    const { topic, group, logger } = consumer;
    try {
      const read = batch.map((handed) => this.read(handed));
      const problem = read.find((one) => one.problem !== undefined)?.problem;
      if (problem !== undefined) throw new Error(problem);
      crashPoint('bus.hand-over.before-handle');
      await consumer.handle(read.map(({ message }) => message));
      crashPoint('bus.hand-over.after-handle');
      return true;
    } catch (error) {
      const reason = reasonOf(error);
      logger.debug(
        { topic: topic.name, group, reason },
        'handed-over messages are read from the log instead',
      );
      return false;
    }
  }

  private async replay(): Promise<void> {
    if (!this.replayAsked) return;
    const { topic, group, deadLetters, batchSizeMax } = this.options;
    this.replayAsked = false;
    for (;;) {
      const entries = await deadLetters.takeReplays(topic, group, batchSizeMax);
      if (entries.length === 0) return;
      await this.handle(entries);
      await deadLetters.settle(topic, group, entries);
    }
  }
}
