import { Kafka, logLevel, type Admin } from 'kafkajs';
import type { BusState } from '../invariants/bus-state.ts';
import type { KafkaAccess } from '../support/kafka-access.ts';

const DEAD_LETTERS = '.dead-letter';

/**
 * Reads every group's state from the brokers, and the number of dead letters, without the product's
 * client.
 */
export async function readKafka(access: KafkaAccess): Promise<BusState> {
  const kafka = new Kafka({ clientId: 'checker', ...access, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [{ groups: found }, topics] = await Promise.all([admin.listGroups(), admin.listTopics()]);
    const groups: BusState['groups'] = [];
    for (const { groupId } of found) {
      // A third part is for a group without members: the position up to which letters were
      // replayed.
      const [group = '', topic, ...rest] = groupId.split(':');
      if (topic === undefined || rest.length > 0) continue;
      groups.push({ group, topic, waiting: await waitingFor(admin, groupId, topic) });
    }
    return { groups, deadLetters: await deadLetters(admin, topics) };
  } finally {
    await admin.disconnect();
  }
}

/** A group is named after what it is for and the one topic that it reads, with that one's dead letters. */
async function waitingFor(admin: Admin, groupId: string, topic: string): Promise<number> {
  let waiting = 0;
  const topics = [topic, `${topic}${DEAD_LETTERS}`];
  const found = await admin.fetchOffsets({ groupId, topics });
  for (const { topic: name, partitions } of found) {
    const committed = new Map(partitions.map((one) => [one.partition, Number(one.offset)]));
    for (const { partition, high, low } of await admin.fetchTopicOffsets(name)) {
      const next = Math.max(committed.get(partition) ?? 0, Number(low));
      waiting += Math.max(0, Number(high) - next);
    }
  }
  return waiting;
}

async function deadLetters(admin: Admin, topics: string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const topic of topics.filter((name) => name.endsWith(DEAD_LETTERS))) {
    for (const { partition, high, low } of await admin.fetchTopicOffsets(topic)) {
      const count = Number(high) - Number(low);
      if (count > 0) lines.push(`${count} in ${topic}, partition ${partition}`);
    }
  }
  return lines;
}
