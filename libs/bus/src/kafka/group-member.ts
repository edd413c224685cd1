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

/** Where a record lies. */
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
  /** Rejects with `Stopped` once the signal is aborted and waiting is all it does. */
  handle: (records: FetchedRecord[], signal: AbortSignal) => Promise<void>;
}

type Lane = MicroBatcher<FetchedRecord, void>;

/** Partitions of one parity are handled while those of the other wait for their database. */
const lanesMax = 2;
/** The bound is the size of a fetch; a line that is longer would be a defect. */
const recordsWaitingMax = 1_000_000;
/** For a batch that waits for its next try when the group rebalances. */
const rebalancePatienceMs = 2_000;
const leavePatienceMs = 3_000;

/** Answers that mean: come to the next round, with or without your old name. */
const rejoinTypes = new Set([
  'ILLEGAL_GENERATION',
  'NOT_COORDINATOR_FOR_GROUP',
  'REBALANCE_IN_PROGRESS',
  'UNKNOWN_MEMBER_ID',
]);

/**
 * One membership in a consumer group, from joining to leaving or to a crash of kafkajs' consumer,
 * which is never used again after that.
 *
 * States: joining, consuming (a fetch is open, or what it brought is being handled), interrupted
 * (the group wants to share out anew: what is in hand is finished and committed first), over.
 *
 * - What one fetch brings of all partitions is handled together, in batches of the wanted size, in
 *   `lanesMax` lanes; each partition keeps its order. The next fetch waits for it: that is the
 *   back-pressure, and the broker keeps what we do not ask for.
 * - Heartbeats go on while a handler takes its time.
 * - Offsets are committed after the handling, and before we let go of the partitions. Commits of a
 *   former generation are not sent, and those on their way are refused by the coordinator.
 */
export class GroupMember {
  /** Resolves when the group has given us our partitions for the first time. */
  readonly joined: Promise<void>;
  /** Resolves when it is over without our having left, with the reason. */
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

  /** Joins the group and consumes; rejects when Kafka cannot be reached. */
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

  /** Finishes and commits the current batches, and leaves the group. */
  async leave(): Promise<void> {
    if (!this.leaving) {
      this.leaving = true;
      this.work.abort();
    }
    while (this.inHand > 0) await sleep(5);
    await this.committer.flush();
    this.committer.forget();
    this.timers.forEach(clearInterval);
    await Promise.race([this.disconnect(), sleep(leavePatienceMs, undefined, { ref: false })]);
  }

  /**
   * kafkajs cannot leave a group that it is still joining, and would join it after we have gone:
   * then it is sent away when it has.
   */
  private async disconnect(): Promise<void> {
    if (this.generation === 0) await Promise.race([this.joined, this.crashed]);
    await this.options.consumer.disconnect().catch(() => undefined);
  }

  /** Begins when those of the last generation have come to their end. */
  private newLane(generation: number, before: Promise<unknown>): Lane {
    const { signal } = this.work;
    return new MicroBatcher<FetchedRecord, void>({
      name: 'a consumer group',
      sizeMax: this.options.batchSizeMax,
      queueMax: recordsWaitingMax,
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
    const lane = this.lanes[partition % lanesMax] as Lane;
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
      // Ours finds out about a rebalance before kafkajs does, which would not let us commit.
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

  /** Other errors are of the connection, which kafkajs handles. */
  private interruptedBy(error: unknown): void {
    if (this.interruption || !rejoinTypes.has(kafkaErrorType(error) ?? '')) return;
    this.interruption = error;
    const { work } = this;
    const patience = setTimeout(() => work.abort(), rebalancePatienceMs);
    work.signal.addEventListener('abort', () => clearTimeout(patience), { once: true });
  }

  private beginGeneration(): void {
    this.generation += 1;
    this.committer.forget();
    this.interruption = undefined;
    // Another member, perhaps we again, has by now what is still between two tries.
    this.work.abort();
    this.work = new AbortController();
    if (this.leaving) this.work.abort();
    const before = Promise.all(this.lanes.map((lane) => lane.drain()));
    const { generation } = this;
    this.lanes = Array.from({ length: lanesMax }, () => this.newLane(generation, before));
  }

  /** kafkajs can fall silent for good; then it is as good as crashed. */
  private watch(giveUp: (reason: Error) => void): void {
    const { sessionTimeoutMs, rebalanceTimeoutMs } = this.options;
    const patienceMs = 2 * sessionTimeoutMs + rebalanceTimeoutMs;
    if (this.inHand > 0) this.lastSignAt = Date.now();
    if (Date.now() - this.lastSignAt > patienceMs) {
      giveUp(new Error(`the consumer has been silent for ${patienceMs} ms`));
    }
  }
}
