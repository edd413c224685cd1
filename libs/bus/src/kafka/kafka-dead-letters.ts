import { randomUUID } from 'node:crypto';
import type { Topic } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type DeadLetter, type OutgoingMessage, TransientError } from '../bus.port.js';
import type { FetchedRecord } from './group-member.js';
import type { Admin, KafkaClient } from './kafka-client.adapter.js';
import type { KafkaPublisher } from './kafka-publisher.js';
import { type KafkaRecord, type ReceivedRecord, receivedRecord, recordOf } from './kafka-record.js';
import { deadLetterTopicOf, kafkaGroupOf } from './kafka-topics.js';

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

/** Whose letters they are that never came as far as Kafka. */
const relayGroup = 'outbox-relay';

const readerSessionMs = 10_000;
const readPatienceMs = 30_000;
const lookEveryMs = 1_000;

/**
 * What the groups gave up on: the records as they were, in the dead-letter topic of their topic,
 * with reason, group and original coordinates in headers.
 *
 * A log cannot be removed from. So each group has a second one, `<group>:<topic>:replay`, which has no
 * members and whose offset says up to where its letters have been asked for again. To replay one is
 * to write a copy of it behind the others, marked for its group, which reads that topic too.
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
    await this.write(topic, {
      ...record,
      headers: {
        ...(replayed === undefined && origin),
        ...headers,
        dead_letter_group: group,
        dead_letter_reason: burial.reason,
        dead_letter_attempts: String(burial.attempts),
        dead_letter_time: new Date().toISOString(),
      },
    });
  }

  /** For a message that could not be published: its outbox is where it comes from. */
  async refuse(
    topic: Topic,
    message: OutgoingMessage,
    position: number,
    reason: string,
  ): Promise<void> {
    const record = recordOf(topic, message);
    const at = { topic: `${topic.owner}.outbox`, partition: 0, offset: String(position) };
    await this.bury(topic, relayGroup, { fetched: { at, record }, attempts: 0, reason });
  }

  isReplayFor(group: string, { record }: FetchedRecord): boolean {
    return record.headers['replay_for'] === group;
  }

  /** Those that have not been asked for again, oldest first; of all groups where none is named. */
  async list(topic: Topic, group: string | null, limit: number): Promise<DeadLetter[]> {
    const { name } = deadLetterTopicOf(topic);
    const replayed = new Map<string, Map<number, bigint>>();
    const letters: DeadLetter[] = [];
    const reader = `watchword-dead-letters-${randomUUID()}`;
    await this.read(name, reader, async ({ letter, partition, offset }) => {
      const owner = ownerOf(letter);
      if (owner === undefined || (group !== null && owner !== group)) return;
      if (letters.length >= limit) return;
      const from = replayed.get(owner) ?? (await this.offsetsOf(replayGroupOf(topic, owner), name));
      replayed.set(owner, from);
      if (BigInt(offset) >= (from.get(partition) ?? 0n)) letters.push(described(letter));
    });
    await (await this.admin()).deleteGroups([reader]).catch(() => undefined);
    return letters;
  }

  /** Has the group handle its letters again, in their old order; answers how many. */
  async replay(topic: Topic, group: string): Promise<number> {
    const { name } = deadLetterTopicOf(topic);
    let count = 0;
    await this.read(name, replayGroupOf(topic, group), async ({ letter }) => {
      if (ownerOf(letter) !== group) return;
      await this.write(topic, { ...letter, headers: { ...letter.headers, replay_for: group } });
      count += 1;
    });
    return count;
  }

  private async write(topic: Topic, record: ReceivedRecord): Promise<void> {
    crashPoint('kafka.dead-letter.before-publish');
    await this.publisher.publish(deadLetterTopicOf(topic), [record as KafkaRecord]);
    crashPoint('kafka.dead-letter.after-publish');
  }

  private async offsetsOf(groupId: string, topic: string): Promise<Map<number, bigint>> {
    const admin = await this.admin();
    const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
    return new Map(found?.partitions.map((one) => [one.partition, BigInt(one.offset)]));
  }

  /** Visits what is there now behind the group's offset, and moves that behind it. */
  private async read(
    topic: string,
    group: string,
    visit: (letter: LetterAt) => Promise<void>,
  ): Promise<void> {
    try {
      const unread = await this.unreadOf(topic, group);
      if (unread.size > 0) await this.readUntil(unread, topic, group, visit);
    } catch (error) {
      throw new TransientError(`${topic} cannot be read now`, error);
    }
  }

  /** Where the partitions end that have something for the group. */
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
    visit: (letter: LetterAt) => Promise<void>,
  ): Promise<void> {
    const consumer = this.client.consumer({
      group,
      sessionTimeoutMs: readerSessionMs,
      rebalanceTimeoutMs: readerSessionMs,
    });
    const timers: NodeJS.Timeout[] = [];
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    try {
      await new Promise<void>((resolve, reject) => {
        const tooLong = () => reject(new Error(`${topic} could not be read to its end`));
        timers.push(setTimeout(tooLong, readPatienceMs));
        // Somebody else may be replaying the same, and leave nothing to us.
        const look = async () => {
          const read = await this.offsetsOf(group, topic);
          if ([...unread].every(([partition, end]) => (read.get(partition) ?? 0n) >= end))
            resolve();
        };
        timers.push(setInterval(() => void look().catch(reject), lookEveryMs));
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        void consumer.run({
          autoCommit: false,
          eachBatch: async ({ batch, commitOffsetsIfNecessary, heartbeat }) => {
            const { partition } = batch;
            const end = unread.get(partition);
            for (const message of batch.messages) {
              const { offset } = message;
              if (end === undefined || BigInt(offset) >= end) break;
              await visit({ letter: receivedRecord(message), partition, offset });
              await heartbeat();
            }
            const next = BigInt(batch.lastOffset()) + 1n;
            const offset = String(end !== undefined && end < next ? end : next);
            const partitions = [{ partition, offset }];
            await commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
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

/** The group that gave up on it; a copy that is to be handled again is nobody's letter. */
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
