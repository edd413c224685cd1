import { Kafka, logLevel, type Admin } from 'kafkajs';
import type { BusState } from '../invariants/bus-state.ts';

const DEAD_LETTERS = '.dead-letter';

/** What the brokers say of every group, and how much was buried; the product's own client has no part in it. */
export async function readKafka(brokers: string[]): Promise<BusState> {
  const kafka = new Kafka({ clientId: 'checker', brokers, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [{ groups: found }, topics] = await Promise.all([admin.listGroups(), admin.listTopics()]);
    const groups: BusState['groups'] = [];
    for (const { groupId } of found) groups.push(await waitingFor(admin, groupId));
    return { groups, deadLetters: await deadLetters(admin, topics) };
  } finally {
    await admin.disconnect();
  }
}

/** A group is named after what it is for and the one topic that it reads. */
async function waitingFor(admin: Admin, groupId: string): Promise<BusState['groups'][number]> {
  const [group = '', topic = ''] = groupId.split(':');
  const [ends, [found]] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const committed = new Map(found?.partitions.map((one) => [one.partition, Number(one.offset)]));
  const waiting = ends.reduce((sum, { partition, high, low }) => {
    const next = Math.max(committed.get(partition) ?? 0, Number(low));
    return sum + Math.max(0, Number(high) - next);
  }, 0);
  return { group, topic, waiting };
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
