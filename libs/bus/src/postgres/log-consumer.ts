import type { Topic } from '@watchword/contracts';
import { crashPoint, type Logger } from '@watchword/observability';
import { BatchRunner, type Delivery, reasonOf, type Unreadable } from '../consumer/batch-runner.js';
import type { IncomingMessage, OutgoingMessage, SubscriptionOptions } from '../bus.port.js';
import type { DeadLetterStore } from './dead-letter.store.js';
import { DirectLane, type HandedMessage } from '../hand-over/direct-lane.js';
import type { SweptRow } from './log-sweep.js';
import type { Leases } from '../outbox/leases.js';
import { LogFollower } from '../outbox/log-follower.js';
import { parsePayload } from '../consumer/message-parser.js';
import type { OffsetStore } from './offset.store.js';
import type { LogEntry, LogPosition, OutboxReader } from '../outbox/outbox-reader.js';

export interface LogConsumerOptions extends Required<Omit<SubscriptionOptions, 'canWait'>> {
  canWait: SubscriptionOptions['canWait'];
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  logger: Logger;
  reader: OutboxReader;
  offsets: OffsetStore;
  deadLetters: DeadLetterStore;
  leases: Leases;
  /** How long to sleep without a bell: short while notifications cannot reach us. */
  sleepMs: () => number;
}

/** A receipt often follows its `sent` within this time. */
const WAIT_MS = 250;

interface LoggedDelivery extends Delivery {
  readonly entry: LogEntry;
}

/**
 * One group's way through one topic's log; see `LogFollower`. Dead letters that are to be handled
 * again have precedence.
 *
 * What is handed over to it in this process it handles at once, if it has read all that the log has, and remembers it
 * until the sweep has found it there; see `LogSweep`. Where that fails, the log has it, and is read: retries and
 * dead letters are made of what is in the log.
 */
export class LogConsumer {
  private readonly follower: LogFollower;
  private readonly runner: BatchRunner<LoggedDelivery>;
  private readonly lane = new DirectLane();
  private readonly read = new WeakMap<OutgoingMessage, ReturnType<typeof incoming>>();
  private waiting: NodeJS.Timeout | undefined;
  private replayAsked = false;
  /** Found in the log, and not handed over by then. */
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
      handle: options.handle,
      bury: ({ entry, attempts }, reason) =>
        deadLetters.bury(topic, group, { entry, attempts, reason }),
      signal: this.follower.signal,
    });
    this.follower.start();
  }

  /** There may be something to read. */
  wake(): void {
    this.follower.wake();
  }

  /** The stored offset, or the ids of the rows, were changed behind our back. */
  loadAnew(): void {
    this.follower.loadAnew();
  }

  /** Whether it is the one consumer of its group. */
  get isLive(): boolean {
    return this.follower.isLive;
  }

  /** Whether it has read all that the log has. */
  get isCaughtUp(): boolean {
    return this.follower.caughtUpAt !== undefined;
  }

  /** False when they are left to the log, which it reads then. */
  handOver(messages: readonly HandedMessage[]): boolean {
    if (this.follower.caughtUpAt && this.lane.offer(messages)) {
      if (this.canWait(messages)) this.waiting ??= setTimeout(() => this.nudge(), WAIT_MS).unref();
      else this.nudge();
      return true;
    }
    this.follower.wake();
    return false;
  }

  private nudge(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
    this.follower.nudge();
  }

  /** What cannot be read does not wait. */
  private canWait(messages: readonly HandedMessage[]): boolean {
    const { canWait } = this.options;
    if (canWait === undefined) return false;
    return messages.every(({ message: outgoing }) => {
      const { message, problem } = this.readOnce(outgoing);
      return problem === undefined && canWait(message.payload);
    });
  }

  private readOnce(outgoing: OutgoingMessage): ReturnType<typeof incoming> {
    const known = this.read.get(outgoing) ?? incoming(this.options.topic, outgoing);
    this.read.set(outgoing, known);
    return known;
  }

  /** From where the sweep is to look; undefined where there is nothing to sweep. */
  get sweptFrom(): LogPosition | undefined {
    return this.follower.caughtUpAt;
  }

  /**
   * The rows that follow, in their order: passes those that were handled when they were handed over, and answers how
   * far that is. One that was not handed over by the next look is read from the log.
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

  /** There may be dead letters to handle again. */
  wakeForReplay(): void {
    this.replayAsked = true;
    this.follower.wake();
  }

  close(): Promise<void> {
    clearTimeout(this.waiting);
    return this.follower.close();
  }

  private async process(entries: readonly LogEntry[]): Promise<void> {
    await this.handle(entries.filter(({ id }) => !this.lane.pass(id)));
    this.lane.noteRead(entries.map(({ id }) => id));
  }

  private async handle(entries: readonly LogEntry[]): Promise<void> {
    const deliveries: LoggedDelivery[] = [];
    const unreadable: Unreadable<LoggedDelivery>[] = [];
    for (const entry of entries) {
      const { message, problem } = incoming(this.options.topic, entry);
      const delivery = { entry, message, attempts: 0 };
      if (problem === undefined) deliveries.push(delivery);
      else unreadable.push({ delivery, problem });
    }
    await this.runner.run(deliveries, unreadable);
  }

  /** False when that failed, for any reason. */
  private async handleDirectly(): Promise<boolean> {
    const { options: consumer } = this;
    const { topic, group, logger } = consumer;
    const batch = this.lane.take(consumer.batchSizeMax);
    try {
      const read = batch.map(({ message }) => this.readOnce(message));
      const problem = read.find((one) => one.problem !== undefined)?.problem;
      if (problem !== undefined) throw new Error(problem);
      crashPoint('bus.hand-over.before-handle');
      await consumer.handle(read.map(({ message }) => message));
      crashPoint('bus.hand-over.after-handle');
    } catch (error) {
      const reason = reasonOf(error);
      logger.debug(
        { topic: topic.name, group, reason },
        'handed-over messages are read from the log instead',
      );
      this.lane.settle(batch, false);
      return false;
    }
    this.lane.settle(batch, true);
    return true;
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

function incoming(
  topic: Topic,
  { id, key, type, time, traceparent, payload: text }: OutgoingMessage,
) {
  const parsed = parsePayload(topic, type, text);
  const payload = 'payload' in parsed ? parsed.payload : undefined;
  const message: IncomingMessage = { id, key, type, time, traceparent, payload };
  return { message, problem: parsed.problem };
}
