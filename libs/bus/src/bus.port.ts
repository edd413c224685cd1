import type { Topic } from '@watchword/contracts';

/**
 * Commands, events and delivery reports between services.
 *
 * Every adapter gives the same guarantees, which one contract kit tests:
 * - At least once: a batch is acknowledged only after its handler resolved. Handlers are idempotent
 *   by id.
 * - Order per key within a group; no order across keys. Direct topics of an adapter have
 *   none.
 * - Every group that the topic names gets every message. Within a group, one consumer gets it.
 * - A batch whose handler throws is retried with growing delay. A message that still fails alone
 *   after `attemptsMax` tries becomes a dead letter with its reason, and its neighbours continue.
 *   Errors of the environment (`TransientError`, an unreachable database) are retried without end.
 *
 * To publish inside a transaction, insert a row per reader into the `message_queue` table of the service's own
 * schema (see `queue.migration.ts`). It is published when the transaction commits, and never if it
 * does not.
 */
export interface OutgoingMessage {
  /** Unique id. Consumers deduplicate by it. */
  id: string;
  key: string;
  /** CloudEvents type, for example `svc.send-message.v1`. */
  type: string;
  /** JSON text that fits the topic's schema. */
  payload: string;
  /**
   * The value that `payload` was rendered from. Consumers of this process get it without parsing.
   * They share it and must not change it.
   */
  value?: unknown;
  /** Time of the event, ISO 8601. */
  time: string;
  traceparent?: string;
}

export interface IncomingMessage<Payload = unknown> {
  id: string;
  key: string;
  type: string;
  time: string;
  traceparent?: string;
  /** Payload, parsed and validated against the topic's schema. */
  payload: Payload;
}

export interface SubscriptionOptions {
  /** Name of the consumer group: usually `<service>.<purpose>`. */
  group: string;
  batchSizeMax?: number;
  attemptsMax?: number;
  /**
   * Whether a message may wait briefly for the next one, so that both are handled in one batch.
   * Used only for messages delivered in the process. The order per key stays.
   */
  canWait?: (payload: unknown) => boolean;
}

export interface Subscription {
  /** Stops fetching and resolves when the current batch is done. */
  close(): Promise<void>;
}

export interface Bus {
  /**
   * Publishes messages. They are durable once it resolves. Calls at the same time share a write.
   */
  publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void>;
  subscribe<Payload>(
    topic: Topic,
    options: SubscriptionOptions,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription>;
  close(): Promise<void>;
}

/**
 * A message that a group could not handle. Its payload is left out because it may hold numbers and
 * texts.
 */
export interface DeadLetter {
  id: string;
  type: string;
  group: string;
  reason: string;
  /** Failed calls of the handler that included the message; 0 when it could not be parsed. */
  attempts: number;
  /** Time at which it became a dead letter, ISO 8601. */
  diedAt: string;
  /** Where the message was: in a log, or the queue table of a message that is too large for Kafka. */
  origin: { topic: string; partition: number; offset: string };
}

/** Count of the dead letters of one topic and group. */
export interface DeadLetterCount {
  readonly topic: string;
  readonly group: string;
  readonly count: number;
}

/** Lists, replays and discards dead letters, for operators. */
export interface DeadLetterOffice {
  /** Lists letters without a requested replay, oldest first. Null lists those of all groups. */
  listDeadLetters(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]>;
  /**
   * Counts letters without a requested replay, per topic and group. Counting may stop at `max` per
   * topic.
   */
  countDeadLetters(topics: readonly Topic[], max: number): Promise<DeadLetterCount[]>;
  /**
   * Requests a replay of the group's dead letters, in their old order, and returns their count. The
   * group's consumers handle them in any process. Letters that succeed are deleted, the others are
   * dead letters again.
   */
  replayDeadLetters(topic: Topic, group: string): Promise<number>;
  /**
   * Deletes the group's dead letters, except those with a requested replay. Returns the
   * count.
   */
  discardDeadLetters(topic: Topic, group: string): Promise<number>;
}

/** How many messages a group has yet to handle on a topic. */
export interface LagReading {
  topic: string;
  group: string;
  /** Messages not yet handled. Counting stops at 10,000. */
  waiting: number;
  /** Age of the oldest of them, in seconds. */
  oldestSeconds: number;
}

/**
 * A handler throws it when the cause is outside and temporary. Such messages never become dead
 * letters.
 */
export class TransientError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransientError';
  }
}
