import type { Topic } from '@watchword/contracts';

/**
 * Commands, events and delivery reports between services.
 *
 * Guarantees, the same for every adapter (one contract kit):
 * - at least once: a batch is acknowledged only after its handler resolved; handlers are
 *   idempotent by id;
 * - order per key within a group; no order across keys;
 * - every group sees every message; within a group each message goes to one consumer;
 * - a batch whose handler throws is tried again with growing delay; a message that still fails
 *   alone after `attemptsMax` tries goes to the dead letters with its reason, and its neighbours
 *   go on. Errors that say the world is away (`TransientError`, a database that cannot be
 *   reached) are retried for ever.
 *
 * Publishing inside a transaction means inserting into the `outbox` table of the service's own
 * schema (see `outbox.migration.ts`): the row is published once the transaction commits, and
 * never if it does not.
 */
export interface OutgoingMessage {
  /** Unique; consumers deduplicate by it. */
  id: string;
  key: string;
  /** CloudEvents type, for example `svc.send-message.v1`. */
  type: string;
  /** JSON text that fits the topic's schema. */
  payload: string;
  /** ISO 8601; when it happened. */
  time: string;
  traceparent?: string;
}

export interface IncomingMessage<Payload = unknown> {
  id: string;
  key: string;
  type: string;
  time: string;
  traceparent?: string;
  /** Parsed and validated against the topic's schema. */
  payload: Payload;
}

export interface SubscriptionOptions {
  /** Name of the consumer group: usually `<service>.<purpose>`. */
  group: string;
  batchSizeMax?: number;
  attemptsMax?: number;
  /**
   * Whether a message may wait a moment for the next one, to be handled with it in one batch. Asked only where messages
   * are handed over in process; order per key stays.
   */
  canWait?: (payload: unknown) => boolean;
}

export interface Subscription {
  /** Stops fetching and resolves when the current batch is done. */
  close(): Promise<void>;
}

export interface Bus {
  /** Durable once resolved; grouped with what others publish at the same time. */
  publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void>;
  subscribe<Payload>(
    topic: Topic,
    options: SubscriptionOptions,
    handle: (batch: IncomingMessage<Payload>[]) => Promise<void>,
  ): Promise<Subscription>;
  close(): Promise<void>;
}

/** What a group gave up on. Its payload stays where it is: it may hold numbers and texts of people. */
export interface DeadLetter {
  id: string;
  type: string;
  group: string;
  reason: string;
  /** Failed calls of the handler that it was part of; 0 when it could not even be given to one. */
  attempts: number;
  /** ISO 8601. */
  diedAt: string;
  /** Where it was when it died: in a log, or in the outbox that it could not leave. */
  origin: { topic: string; partition: number; offset: string };
}

/** Of one topic and group. */
export interface DeadLetterCount {
  readonly topic: string;
  readonly group: string;
  readonly count: number;
}

/** For people: what was given up on, and a second chance for it. */
export interface DeadLetterOffice {
  /** Those that have not been asked for again, oldest first; of all groups where none is named. */
  listDeadLetters(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]>;
  /** How many of these have not been asked for again, where there are any; counting may stop at `max` of a topic. */
  countDeadLetters(topics: readonly Topic[], max: number): Promise<DeadLetterCount[]>;
  /**
   * Has the group's consumers, wherever they run, handle its dead letters again, in their old
   * order; answers how many. Those that succeed are gone, the others are dead letters again.
   */
  replayDeadLetters(topic: Topic, group: string): Promise<number>;
  /** Gives the group's dead letters up for good, except those already asked for again; answers how many. */
  discardDeadLetters(topic: Topic, group: string): Promise<number>;
}

/** How far a group is behind on a topic. */
export interface LagReading {
  topic: string;
  group: string;
  /** Messages not yet handled; counting stops at 10,000. */
  waiting: number;
  /** How long ago the first of them happened. */
  oldestSeconds: number;
}

/** Where the relay of an outbox carries the messages to. */
export interface RelayTarget {
  publish(topic: Topic, messages: readonly OutgoingMessage[]): Promise<void>;
  /** For a message that will never be taken, however often it is tried; it stays at its position. */
  refuse(topic: Topic, message: OutgoingMessage, position: number, reason: string): Promise<void>;
  /** Whether the error means that. */
  isRefusal(error: unknown): boolean;
}

/** Thrown by handlers when the cause is outside and will pass: never dead-lettered. */
export class TransientError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransientError';
  }
}
