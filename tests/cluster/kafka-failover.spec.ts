import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { type Admin, ConfigResourceTypes, Kafka, logLevel, type PartitionMetadata } from 'kafkajs';
import type { ServerProcess } from '@watchword/local-servers';
import { range, Recorder } from '../../libs/bus/src/contract/messages.kit.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

const electionPatienceMs = 60_000;

let system: KafkaTestSystem;

beforeAll(async () => {
  system = await KafkaTestSystem.start({ brokers: 3 });
}, 240_000);

afterAll(() => system?.stop());

/** Runs work with a Kafka client that is independent of the product. */
async function asStranger<Result>(work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const { brokers } = system.kafka;
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Returns the copies of each partition, and how many must have a record before it counts. */
function safetyOf(name: string) {
  return asStranger(async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [name] });
    const configNames = ['min.insync.replicas'];
    const resources = [{ type: ConfigResourceTypes.TOPIC, name, configNames }];
    const described = await admin.describeConfigs({ includeSynonyms: false, resources });
    return {
      replicas: topics[0]?.partitions.map(({ replicas }) => replicas.length),
      minInSync: described.resources[0]?.configEntries[0]?.configValue,
    };
  });
}

/** Groups keep their offsets in a topic of Kafka's own. */
function topicsWithCopiesMissing(topic: Topic) {
  return asStranger(async (admin) => {
    const names = [topic.name, deadLetterTopicName(topic), '__consumer_offsets'];
    const { topics } = await admin.fetchTopicMetadata({ topics: names });
    const isWhole = ({ replicas, isr }: PartitionMetadata) => isr.length === replicas.length;
    return topics.filter(({ partitions }) => !partitions.every(isWhole)).map(({ name }) => name);
  });
}

describe('topics of which fewer copies are kept than there could be', () => {
  it('are no reason to refuse, but to say so in one line', async () => {
    const [fewer, unsafe] = [topicOf(1), topicOf(1)];
    const retention = { name: 'retention.ms', value: '3600000' };
    const created = (topic: string, replicationFactor: number) => ({
      topic,
      numPartitions: 1,
      replicationFactor,
      configEntries: [retention],
    });
    const topics = [created(fewer.name, 1), created(unsafe.name, 3)];
    await asStranger((admin) => admin.createTopics({ topics, waitForLeaders: true }));
    const lines: string[] = [];
    const logger = createLogger(
      { service: 'test', level: 'info' },
      { write: (line) => lines.push(line) },
    );
    const bus = await system.bus([fewer, unsafe], { logger });
    expect(bus.ready).toBe(true);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: expect.stringContaining('less safe than its brokers allow'),
        topics: [
          `${fewer.name} has 1 replicas, 3 are possible`,
          `${unsafe.name} has min.insync.replicas 1, 2 are possible`,
        ],
      }),
    ]);
  });
});

describe('a foreign topic that has lost its only copy', () => {
  it('keeps nobody from starting, publishing and consuming', async () => {
    const name = `strange-${group()}`;
    const dead = await asStranger(async (admin) => {
      const topics = [{ topic: name, numPartitions: 1, replicationFactor: 1 }];
      await admin.createTopics({ topics, waitForLeaders: true });
      const { topics: found } = await admin.fetchTopicMetadata({ topics: [name] });
      return system.kafka.nodes[(found[0]?.partitions[0]?.leader ?? 0) - 1] as ServerProcess;
    });
    await dead.kill();
    const metadata = () => asStranger((admin) => admin.fetchTopicMetadata({ topics: [name] }));
    await eventually(() => expect(metadata()).rejects.toThrow('no leader'), 30_000, 200);
    const topic = topicOf(3);
    const bus = await system.bus([topic]);
    await eventually(() => expect(bus.ready).toBe(true), electionPatienceMs, 200);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    await intoOutbox(system.pool(), topic, range(1, 50));
    await system.relay([topic], bus);
    await eventually(() => expect(new Set(recorder.numbers).size).toBe(50));
    await dead.start();
  }, 240_000);
});

describe('three brokers, replication 3, at least two in sync', () => {
  it('lose nothing and keep the order of each key when each of them is killed in turn', async () => {
    const topic = topicOf(6);
    const pool = system.pool();
    const [publishing, consuming] = [await system.bus([topic]), await system.bus([topic])];
    await system.relay([topic], publishing);
    const ofThree = { minInSync: '2', replicas: range(1, 6).map(() => 3) };
    expect(await safetyOf(topic.name)).toEqual(ofThree);
    expect(await safetyOf(deadLetterTopicName(topic))).toEqual({ ...ofThree, replicas: [3] });
    const recorder = new Recorder();
    await consuming.subscribe(topic, { group: group() }, recorder.handle);
    let written = 0;
    const write = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await intoOutbox(pool, topic, [(written += 1)]);
        await sleep(10);
      }
    };
    for (const node of system.kafka.nodes) {
      await write(100);
      await node.kill();
      await write(300);
      await eventually(
        () => expect(new Set(recorder.numbers).size).toBe(written),
        electionPatienceMs,
      );
      await node.start();
      // With two brokers away there is no majority, and what only the third has cannot be read.
      await eventually(
        async () => expect(await topicsWithCopiesMissing(topic)).toEqual([]),
        60_000,
        200,
      );
    }
    await write(100);
    await eventually(
      () => expect(new Set(recorder.numbers).size).toBe(written),
      electionPatienceMs,
    );
    for (const key of range(0, 9)) {
      const ofKey = [...new Set(recorder.numbers.filter((n) => n % 10 === key))];
      expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
    }
  }, 600_000);
});
