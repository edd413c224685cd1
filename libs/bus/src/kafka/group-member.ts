import { setTimeout as sleep } from 'node:timers/promises';
import { MicroBatcher } from '@watchword/batching';
import type { Logger } from '@watchword/observability';
import { Stopped } from '../consumer/batch-runner.js';
import {
  type Consumer,
  type EachBatchPayload,
  heartbeatIntervalMs,
  kafkaErrorType,
} from './kafka-client.adapter.js';
import { type ReceivedRecord, receivedRecord } from './kafka-record.js';
import { OffsetCommitter } from './offset-committer.js';

/** Topic, partition and offset of a record. */
export interface RecordPlace {
  topic: string;
  partition: number;
  offset: string;
}

export interface FetchedRecord {
  at: RecordPlace;
  record: ReceivedRecord;
}

export interface GroupMemberOptions {
  consumer: Consumer;
  topics: readonly string[];
  partitionsMax: number;
  batchSizeMax: number;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  logger: Logger;
  /** Rejects with `Stopped` when the signal is aborted during a pause. */
  handle: (records: FetchedRecord[], signal: AbortSignal) => Promise<void>;
}

type Lane = MicroBatcher<FetchedRecord, void>;

/** While one lane waits for its database, the other handles the remaining partitions. */
const LANES_MAX = 2;
/** Most records that wait. A fetch has a smaller bound, so a longer queue would be a defect. */
const RECORDS_WAITING_MAX = 1_000_000;
/** Milliseconds that a batch may take to end its pause when the group rebalances. */
const REBALANCE_PATIENCE_MS = 2_000;
const LEAVE_PATIENCE_MS = 3_000;

/** Answers that require a rejoin, with the same member id or a new one. */
const REJOIN_TYPES = new Set([
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'REBALANCE_IN_PROGRESS',
  'UNKNOWN_MEMBER_ID',
]);

/**
 * One membership in a consumer group, from joining to leaving or to a crash of kafkajs' consumer. A
 * crashed consumer is never used again.
 *
 * States: joining, consuming (a fetch is open or its records are handled), interrupted (the group
 * rebalances: current batches are finished and committed first), over.
 *
 * - Records of one fetch are handled together, in batches of the wanted size and in `lanesMax`
 *   lanes. Each partition keeps its order. The next fetch waits for them: that is the
 *   back-pressure, and the broker keeps the rest.
 * - Heartbeats continue while a handler runs.
 * - Offsets are committed after handling, before the partitions are released. Commits of a former
 *   generation are not sent, and the coordinator refuses those already sent.
 */
export class GroupMember {
  /** Resolves at the first assignment of partitions. */
  readonly joined: Promise<void>;
  /** Resolves with the reason when the membership ends by itself. */
  readonly crashed: Promise<unknown>;

  private lanes: Lane[] = [];
  private readonly committer: OffsetCommitter;
  private work = new AbortController();
  private interruption: unknown;
  private generation = 0;
  private inHand = 0;
  private leaving = false;
  private heartbeat: (() => Promise<void>) | undefined;
  private commitOffsets: EachBatchPayload['commitOffsetsIfNecessary'] | undefined;
  private lastSignAt = Date.now();
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(private readonly options: GroupMemberOptions) {
    const { consumer } = options;
    this.committer = new OffsetCommitter(
      (offsets) => this.commit(offsets),
      (error) => this.interruptedBy(error),
    );
    this.joined = new Promise((resolve) => {
      consumer.on(consumer.events.GROUP_JOIN, () => {
        this.beginGeneration();
        resolve();
      });
    });
    this.crashed = new Promise((resolve) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => resolve(payload.error));
      this.timers.push(setInterval(() => this.watch(resolve), 1_000));
    });
    const sign = () => (this.lastSignAt = Date.now());
    for (const event of ['FETCH', 'HEARTBEAT', 'GROUP_JOIN'] as const) {
      consumer.on(consumer.events[event], sign);
    }
    const everyMs = heartbeatIntervalMs(options.sessionTimeoutMs) / 2;
    this.timers.push(setInterval(() => this.beat(), everyMs));
  }

  /** Joins the group and consumes. Rejects when Kafka is unreachable. */
  async start(): Promise<void> {
    const { consumer, topics, partitionsMax } = this.options;
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsMax,
      eachBatch: (payload) => this.take(payload),
    });
  }

  /** Finishes and commits the current batches, then leaves the group. */
  async leave(): Promise<void> {
    if (!this.leaving) {
      this.leaving = true;
      this.work.abort();
    }
    while (this.inHand > 0) await sleep(5);
    await this.committer.flush();
    this.committer.forget();
    this.timers.forEach(clearInterval);
    await Promise.race([this.disconnect(), sleep(LEAVE_PATIENCE_MS, undefined, { ref: false })]);
  }

  /**
   * Disconnects. kafkajs cannot leave a group while it joins, and would join after our leave. In
   * that case it is disconnected once it has joined.
   */
  private async disconnect(): Promise<void> {
    if (this.generation === 0) await Promise.race([this.joined, this.crashed]);
    await this.options.consumer.disconnect().catch(() => undefined);
  }

  /** Starts after the batches of the last generation have ended. */
  private newLane(generation: number, before: Promise<unknown>): Lane {
    const { signal } = this.work;
    return new MicroBatcher<FetchedRecord, void>({
      name: 'a consumer group',
      sizeMax: this.options.batchSizeMax,
      queueMax: RECORDS_WAITING_MAX,
      flush: async (records) => {
        await before;
        if (signal.aborted) throw new Stopped();
        await this.options.handle(records, signal);
        if (generation === this.generation) this.noteHandled(records);
        return records.map(() => undefined);
      },
    });
  }

  private async take(payload: EachBatchPayload): Promise<void> {
    if (this.interruption) throw this.interruption;
    if (this.leaving || payload.isStale()) return;
    const { topic, partition, messages } = payload.batch;
    const lane = this.lanes[partition % LANES_MAX] as Lane;
    const { generation } = this;
    this.heartbeat = payload.heartbeat;
    this.commitOffsets = payload.commitOffsetsIfNecessary;
    this.inHand += 1;
    try {
      const handled = messages.map((message) =>
        lane.submit({
          at: { topic, partition, offset: message.offset },
          record: receivedRecord(message),
        }),
      );
      const failed = (await Promise.allSettled(handled)).find(
        ({ status }) => status === 'rejected',
      );
      if (generation !== this.generation) return;
      if (!failed) payload.resolveOffset(payload.batch.lastOffset());
      // Our heartbeat detects a rebalance before kafkajs does, which would prevent the commit.
      await payload.heartbeat().catch((error: unknown) => this.interruptedBy(error));
      if (this.interruption || this.leaving) await this.committer.flush();
      if (this.interruption) throw this.interruption;
      if (failed && !this.leaving) throw (failed as PromiseRejectedResult).reason;
    } finally {
      this.inHand -= 1;
    }
  }

  private noteHandled(records: readonly FetchedRecord[]): void {
    const last = new Map<string, RecordPlace>();
    for (const { at } of records) last.set(`${at.topic} ${at.partition}`, at);
    for (const { topic, partition, offset } of last.values()) {
      this.committer.handled({ topic, partition, offset: String(BigInt(offset) + 1n) });
    }
  }

  private async commit(offsets: readonly RecordPlace[]): Promise<void> {
    const topics = this.options.topics.map((topic) => ({
      topic,
      partitions: offsets.filter((one) => one.topic === topic),
    }));
    await this.commitOffsets?.({ topics: topics.filter((one) => one.partitions.length > 0) });
  }

  private beat(): void {
    if (this.inHand === 0) return;
    this.heartbeat?.().catch((error: unknown) => this.interruptedBy(error));
  }

  /** Interrupts the work for a rebalance. kafkajs handles errors of the connection. */
  private interruptedBy(error: unknown): void {
    if (this.interruption || !REJOIN_TYPES.has(kafkaErrorType(error) ?? '')) return;
    this.interruption = error;
    const { work } = this;
    const timeout = setTimeout(() => work.abort(), REBALANCE_PATIENCE_MS);
    work.signal.addEventListener('abort', () => clearTimeout(timeout), { once: true });
  }

  private beginGeneration(): void {
    this.generation += 1;
    this.committer.forget();
    this.interruption = undefined;
    // Another member, possibly this process again, owns these records now.
    this.work.abort();
    this.work = new AbortController();
    if (this.leaving) this.work.abort();
    const before = Promise.all(this.lanes.map((lane) => lane.drain()));
    const { generation } = this;
    this.lanes = Array.from({ length: LANES_MAX }, () => this.newLane(generation, before));
  }

  /** Replaces a consumer that is silent for too long: kafkajs can hang without an error. */
  private watch(giveUp: (reason: Error) => void): void {
    const { sessionTimeoutMs, rebalanceTimeoutMs } = this.options;
    const timeoutMs = 2 * sessionTimeoutMs + rebalanceTimeoutMs;
    if (this.inHand > 0) this.lastSignAt = Date.now();
    if (Date.now() - this.lastSignAt > timeoutMs) {
      giveUp(new Error(`the consumer has been silent for ${timeoutMs} ms`));
    }
  }
}
