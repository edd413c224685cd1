import { randomUUID } from 'node:crypto';
import { deadLetterSettingsOf, type Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type DeadLetter, type OutgoingMessage, TransientError } from '../bus.port.js';
import { RELAY_GROUP } from '../consumer/measurements.js';
import type { Admin, KafkaClient } from './kafka-client.adapter.js';
import type { KafkaPublisher } from './kafka-publisher.js';
import {
  type FetchedRecord,
  type KafkaRecord,
  type ReceivedRecord,
  receivedRecord,
  recordOf,
} from './kafka-record.js';
import { kafkaGroupOf } from './kafka-topics.js';

interface Burial {
  fetched: FetchedRecord;
  attempts: number;
  reason: string;
}

interface LetterAt {
  letter: ReceivedRecord;
  partition: number;
  offset: string;
}

/** Returns whether it did something that must not be repeated. */
type Visit = (letter: LetterAt) => Promise<boolean>;

const READER_SESSION_MS = 10_000;
const READ_TIMEOUT_MS = 30_000;
const POLL_EVERY_MS = 1_000;

/**
 * Dead letters of the groups: the records as they were, as text, in the dead-letter topic of their topic. Headers hold reason, group and original
 * coordinates.
 *
 * A log cannot delete single records. So each group has a second one, `<group>:<topic>:replay`,
 * without members. Its offset marks the letters whose replay was requested. A replay appends a copy
 * of each letter, marked for its group, whose consumers read that topic too.
 */
export class KafkaDeadLetters {
  constructor(
    private readonly client: KafkaClient,
    private readonly admin: () => Promise<Admin>,
    private readonly publisher: KafkaPublisher,
  ) {}

  async bury(topic: Topic, group: string, burial: Burial): Promise<void> {
    const { at, record } = burial.fetched;
    const { replay_for: replayed, ...headers } = record.headers;
    const origin = {
      dead_letter_topic: at.topic,
      dead_letter_partition: String(at.partition),
      dead_letter_offset: at.offset,
    };
    const letter: ReceivedRecord = {
      ...record,
      headers: {
        ...(replayed === undefined && origin),
        ...headers,
        dead_letter_group: group,
        dead_letter_reason: burial.reason,
        dead_letter_attempts: String(burial.attempts),
        dead_letter_time: new Date().toISOString(),
      },
    };
    await this.write(topic, letter);
  }

  /** Writes a letter for a message that is too large for its topic, without its payload. */
  async refuse(topic: Topic, message: OutgoingMessage, reason: string): Promise<void> {
    const record = recordOf(topic, { ...message, payload: '' });
    const at = { topic: `${topic.owner}.message_queue`, partition: 0, offset: message.id };
    await this.bury(topic, RELAY_GROUP, { fetched: { at, record }, attempts: 0, reason });
  }

  isReplayFor(group: string, { record }: FetchedRecord): boolean {
    return record.headers['replay_for'] === group;
  }

  /** Lists letters without a requested replay, oldest first. Null lists those of all groups. */
  async list(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    const { name } = deadLetterSettingsOf(topic);
    const replayed = new Map<string, Map<number, bigint>>();
    const letters: DeadLetter[] = [];
    const reader = `watchword-dead-letters-${randomUUID()}`;
    await this.read(name, reader, async ({ letter, partition, offset }) => {
      const owner = ownerOf(letter);
      if (owner === undefined || (group !== null && owner !== group)) return false;
      if (letters.length >= limit) return false;
      const from = replayed.get(owner) ?? (await this.offsetsOf(replayGroupOf(topic, owner), name));
      replayed.set(owner, from);
      if (BigInt(offset) >= (from.get(partition) ?? 0n)) letters.push(described(letter));
      return false;
    });
    await (await this.admin()).deleteGroups([reader]).catch(() => undefined);
    return letters;
  }

  /** Lets the group handle its letters again, in their old order. Returns the count. */
  async replay(topic: Topic, group: string): Promise<number> {
    const { name } = deadLetterSettingsOf(topic);
    let count = 0;
    await this.read(name, replayGroupOf(topic, group), async ({ letter }) => {
      if (ownerOf(letter) !== group) return false;
      await this.write(topic, { ...letter, headers: { ...letter.headers, replay_for: group } });
      count += 1;
      return true;
    });
    return count;
  }

  /** Moves the group's offset past its letters without writing copies. Returns the count. */
  async discard(topic: Topic, group: string): Promise<number> {
    const { name } = deadLetterSettingsOf(topic);
    let count = 0;
    await this.read(name, replayGroupOf(topic, group), async ({ letter }) => {
      if (ownerOf(letter) !== group) return false;
      count += 1;
      return true;
    });
    return count;
  }

  private async write(topic: Topic, record: ReceivedRecord): Promise<void> {
    crashPoint('kafka.dead-letter.before-publish');
    await this.publisher.publish(deadLetterSettingsOf(topic), [record as KafkaRecord]);
    crashPoint('kafka.dead-letter.after-publish');
  }

  private async offsetsOf(groupId: string, topic: string): Promise<Map<number, bigint>> {
    const admin = await this.admin();
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return new Map(found?.partitions.map((one) => [one.partition, BigInt(one.offset)]));
  }

  /** Visits the letters after the group's offset and moves the offset past them. */
  private async read(topic: string, group: string, visit: Visit): Promise<void> {
    try {
      const unread = await this.unreadOf(topic, group);
      if (unread.size > 0) await this.readUntil(unread, topic, group, visit);
    } catch (error) {
      throw new TransientError(`${topic} cannot be read now`, error);
    }
  }

  /** Returns the end offsets of partitions that hold something for the group. */
  private async unreadOf(topic: string, group: string): Promise<Map<number, bigint>> {
    const admin = await this.admin();
    const from = await this.offsetsOf(group, topic);
    const unread = new Map<number, bigint>();
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic)) {
      const begin = [from.get(partition) ?? 0n, BigInt(low)].reduce((a, b) => (a > b ? a : b));
      if (begin < BigInt(high)) unread.set(partition, BigInt(high));
    }
    return unread;
  }

  private async readUntil(
    unread: Map<number, bigint>,
    topic: string,
    group: string,
    visit: Visit,
  ): Promise<void> {
    const consumer = this.client.consumer({
      group,
      sessionTimeoutMs: READER_SESSION_MS,
      rebalanceTimeoutMs: READER_SESSION_MS,
    });
    const timers: NodeJS.Timeout[] = [];
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const tooLong = () => reject(new TransientError(`${topic} could not be read to its end`));
        timers.push(setTimeout(tooLong, READ_TIMEOUT_MS));
        // Another process may replay the same letters first.
        const poll = async () => {
          const read = await this.offsetsOf(group, topic);
          if ([...unread].every(([partition, end]) => (read.get(partition) ?? 0n) >= end))
            resolve();
        };
        timers.push(setInterval(() => void poll().catch(reject), POLL_EVERY_MS));
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        void consumer.run({
          autoCommit: false,
          eachBatch: async ({ batch, commitOffsetsIfNecessary, heartbeat }) => {
            const { partition } = batch;
            const end = unread.get(partition);
            const moveTo = (offset: bigint) => {
              const partitions = [{ partition, offset: String(offset) }];
              return commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
            };
            for (const message of batch.messages) {
              const { offset } = message;
              if (end === undefined || BigInt(offset) >= end) break;
              const isDone = await visit({ letter: receivedRecord(message), partition, offset });
              // Another process may take over at any time. It continues from this offset.
              if (isDone) await moveTo(BigInt(offset) + 1n);
              await heartbeat();
            }
            const next = BigInt(batch.lastOffset()) + 1n;
            await moveTo(end !== undefined && end < next ? end : next);
            if (end !== undefined && next >= end) unread.delete(partition);
            if (unread.size === 0) resolve();
          },
        });
      });
    } finally {
      timers.forEach(clearInterval);
      await consumer.disconnect();
    }
  }
}

function replayGroupOf(topic: Topic, group: string): string {
  return `${kafkaGroupOf(topic, group)}:replay`;
}

/** Returns the group that could not handle the message; undefined for a copy to be replayed. */
function ownerOf({ headers }: ReceivedRecord): string | undefined {
  return headers['replay_for'] === undefined ? headers['dead_letter_group'] : undefined;
}

function described({ headers }: ReceivedRecord): DeadLetter {
  return {
    id: headers['ce_id'] ?? '',
    type: headers['ce_type'] ?? '',
    group: headers['dead_letter_group'] ?? '',
    reason: headers['dead_letter_reason'] ?? '',
    attempts: Number(headers['dead_letter_attempts']),
    diedAt: headers['dead_letter_time'] ?? '',
    origin: {
      topic: headers['dead_letter_topic'] ?? '',
      partition: Number(headers['dead_letter_partition']),
      offset: headers['dead_letter_offset'] ?? '',
    },
  };
}
