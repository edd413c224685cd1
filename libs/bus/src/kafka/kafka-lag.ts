import type { LagReading } from '../bus.port.js';
import type { Topic } from '@watchword/contracts';
import type { Admin } from './kafka-client.adapter.js';
import { kafkaGroupOf } from './kafka-topics.js';

/**
 * Bounds of age in seconds between which the oldest waiting message is searched. Each costs the
 * broker one request.
 */
const AGES_SECONDS = [0, 1, 2, 5, 10, 30, 60, 300, 900, 3_600, 6 * 3_600, 24 * 3_600];
/** Times that the interval is halved. The result is at most a second, or a quarter, too low. */
const HALVINGS_MAX = 4;

interface Backlog {
  partition: number;
  next: bigint;
}

/** Returns the group's lag on the topic, counted from its committed offsets. */
export async function lagOf(admin: Admin, of: Topic, group: string): Promise<LagReading> {
  const topic = of.name;
  const groupId = kafkaGroupOf(of, group);
  const [ends, [found]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const committed = new Map(found?.partitions.map((one) => [one.partition, BigInt(one.offset)]));
  const backlogs: Backlog[] = [];
  let waiting = 0n;
  for (const { partition, high, low } of ends) {
    const begin = committed.get(partition) ?? -1n;
    const next = begin > BigInt(low) ? begin : BigInt(low);
    if (next >= BigInt(high)) continue;
    waiting += BigInt(high) - next;
    backlogs.push({ partition, next });
  }
  const oldestSeconds = backlogs.length > 0 ? await oldestOf(admin, topic, backlogs) : 0;
  return { topic, group, waiting: Number(waiting), oldestSeconds };
}

async function oldestOf(
  admin: Admin,
  topic: string,
  backlogs: readonly Backlog[],
): Promise<number> {
  const now = Date.now();
  return greatestAge(async (seconds) => {
    const firsts = await admin.fetchTopicOffsetsByTimestamp(topic, now - seconds * 1_000);
    const firstYounger = new Map(firsts.map((one) => [one.partition, BigInt(one.offset)]));
    // The first younger message lies behind the first waiting one, so the waiting one is older.
    return backlogs.some(({ partition, next }) => {
      const first = firstYounger.get(partition) ?? -1n;
      return first < 0n || first > next;
    });
  });
}

/** Finds the age in seconds, never more than the true one, with few calls of `isOlder`. */
export async function greatestAge(isOlder: (seconds: number) => Promise<boolean>): Promise<number> {
  let oldest = 0;
  let younger = 0;
  for (const seconds of AGES_SECONDS) {
    if (!(await isOlder(seconds))) {
      younger = seconds;
      break;
    }
    oldest = seconds;
  }
  for (let halving = 1; halving <= HALVINGS_MAX && younger - oldest > 1; halving += 1) {
    const middle = Math.floor((oldest + younger) / 2);
    if (await isOlder(middle)) oldest = middle;
    else younger = middle;
  }
  return oldest;
}
