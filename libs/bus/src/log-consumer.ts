import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { BatchRunner, type Delivery, type Unreadable } from './batch-runner.js';
import type { IncomingMessage, SubscriptionOptions } from './bus.port.js';
import type { DeadLetterStore } from './dead-letter.store.js';
import type { Leases } from './leases.js';
import { LogFollower } from './log-follower.js';
import { parsePayload } from './message-parser.js';
import type { OffsetStore } from './offset.store.js';
import type { LogEntry, OutboxReader } from './outbox-reader.js';

export interface LogConsumerOptions extends Required<SubscriptionOptions> {
  topic: Topic;
  handle: (batch: IncomingMessage[]) => Promise<void>;
  logger: Logger;
  reader: OutboxReader;
  offsets: OffsetStore;
  deadLetters: DeadLetterStore;
  leases: Leases;
  /** How long to sleep when nobody rings: short while notifications cannot reach us. */
  sleepMs: () => number;
}

interface LoggedDelivery extends Delivery {
  readonly entry: LogEntry;
}

/**
 * One group's way through one topic's log; see `LogFollower`. Dead letters that are to be handled
 * again have precedence.
 */
export class LogConsumer {
  private readonly follower: LogFollower;
  private readonly runner: BatchRunner<LoggedDelivery>;
  private replayAsked = false;

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

  /** There may be dead letters to handle again. */
  wakeForReplay(): void {
    this.replayAsked = true;
    this.follower.wake();
  }

  close(): Promise<void> {
    return this.follower.close();
  }

  private async process(entries: readonly LogEntry[]): Promise<void> {
    const deliveries: LoggedDelivery[] = [];
    const unreadable: Unreadable<LoggedDelivery>[] = [];
    for (const entry of entries) {
      const parsed = parsePayload(this.options.topic, entry.type, entry.payload);
      const { id, key, type, time, traceparent } = entry;
      const payload = 'payload' in parsed ? parsed.payload : undefined;
      const message = { id, key, type, time, traceparent, payload };
      const delivery = { entry, message, attempts: 0 };
      if (parsed.problem === undefined) deliveries.push(delivery);
      else unreadable.push({ delivery, problem: parsed.problem });
    }
    await this.runner.run(deliveries, unreadable);
  }

  private async replay(): Promise<void> {
    if (!this.replayAsked) return;
    const { topic, group, deadLetters, batchSizeMax } = this.options;
    this.replayAsked = false;
    for (;;) {
      const entries = await deadLetters.takeReplays(topic, group, batchSizeMax);
      if (entries.length === 0) return;
      await this.process(entries);
      await deadLetters.settle(topic, group, entries);
    }
  }
}
