import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import type { Topic } from '@watchword/contracts';
import { ConfigResourceTypes } from 'kafkajs';
import { message, range, Recorder } from '../../libs/bus/src/contract/messages.kit.js';
import { KafkaStranger } from '../support/kafka-stranger.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

let system: KafkaTestSystem;
let stranger: KafkaStranger;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
  stranger = await KafkaStranger.open(system.kafka.brokers);
});

afterEach(() => system.tidy());

afterAll(async () => {
  await stranger?.close();
  await system?.stop();
});

async function alter(topic: Topic, name: string, value: string): Promise<void> {
  const { retentionHours } = topic;
  // A setting without a value returns to its default.
  const retention = { name: 'retention.ms', value: String(retentionHours * 3_600_000) };
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic.name };
  const configEntries = [retention, { name, value }];
  const resources = [{ ...resource, configEntries }];
  await stranger.admin.alterConfigs({ validateOnly: false, resources });
  // The controller knows it now, the broker soon.
  await eventually(async () => expect(await settingsOf(topic, [name])).toEqual([value]));
}

/** Returns the settings in the order of the names. */
async function settingsOf({ name }: Topic, configNames: string[]): Promise<(string | undefined)[]> {
  const { resources } = await stranger.admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames }],
  });
  const entries = resources.flatMap((resource) => resource.configEntries);
  return configNames.map((one) => entries.find((entry) => entry.configName === one)?.configValue);
}

describe('a message in Kafka', () => {
  it('is a CloudEvent in binary mode', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const sent = { ...message(1, '+2348012345678'), traceparent };
    await bus.publish(topic, [sent]);
    const received = await stranger.readOldest([topic.name], 1);
    expect(received).toEqual([
      {
        topic: topic.name,
        partition: 0,
        offset: '0',
        key: '+2348012345678',
        value: '{"n":1}',
        headers: {
          'content-type': 'application/json',
          ce_specversion: '1.0',
          ce_id: 'message-1',
          ce_type: 'test.happened.v1',
          ce_source: '/watchword/billing',
          ce_time: sent.time,
          traceparent,
        },
      },
    ]);
  });

  it('is a dead letter when a stranger has published what is none', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const recorder = new Recorder();
    const consumers = group();
    await bus.subscribe(topic, { group: consumers }, recorder.handle);
    const bare = { partition: 0, key: 'k', value: '{"n":1}', headers: {} };
    await stranger.publish(topic.name, [bare]);
    await bus.publish(topic, [message(2)]);
    await eventually(() => expect(recorder.numbers).toEqual([2]));
    const letter = {
      reason: 'the headers are not those of a CloudEvent',
      group: consumers,
      origin: { topic: topic.name, partition: 0, offset: '0' },
    };
    // Its neighbours do not wait for it, so it may be written after them.
    const letters = () => bus.listDeadLetters(topic, consumers, 10);
    await eventually(async () => expect(await letters()).toMatchObject([letter]));
  });
});

describe('topics', () => {
  it('are refused with every difference when they are not as declared', async () => {
    const topic = topicOf(2);
    await system.bus([topic]);
    const otherwise = { ...topic, partitions: 3, retentionHours: 2 };
    await expect(system.bus([otherwise])).rejects.toThrow(
      `Kafka's topics are not as declared: ${topic.name} has partitions 2, 3 is declared; ` +
        `${topic.name} has retention.ms 3600000, 7200000 is declared`,
    );
  });

  it('are refused when Kafka would keep only the last message of each key', async () => {
    const topic = topicOf(1);
    await system.bus([topic]);
    await alter(topic, 'cleanup.policy', 'compact');
    await expect(system.bus([topic])).rejects.toThrow(
      `${topic.name} has cleanup.policy compact, delete is declared. Alter them with `,
    );
  });

  it('of before get the setting for compressed records, and keep their other settings', async () => {
    const topic = topicOf(1);
    await system.bus([topic]);
    await alter(topic, 'compression.type', 'producer');
    await system.bus([topic]);
    await eventually(async () => {
      expect(await settingsOf(topic, ['compression.type', 'retention.ms'])).toEqual([
        'uncompressed',
        '3600000',
      ]);
    });
  });

  it('are made once when several processes start at once', async () => {
    const topics = range(1, 6).map(() => topicOf(3));
    const buses = await Promise.all(range(1, 4).map(() => system.bus(topics)));
    expect(buses.map(({ ready }) => ready)).toEqual([true, true, true, true]);
  });
});

describe('the lag', () => {
  it('tells how many messages wait and about how long', async () => {
    const topic = topicOf(3);
    const bus = await system.bus([topic]);
    const consumers = group();
    const recorder = new Recorder();
    const first = await bus.subscribe(topic, { group: consumers }, recorder.handle);
    await bus.publish(
      topic,
      range(1, 5).map((n) => message(n, `key-${n}`)),
    );
    const reading = { topic: topic.name, group: consumers };
    await eventually(async () => {
      expect(await bus.lag()).toEqual([{ ...reading, waiting: 0, oldestSeconds: 0 }]);
    });
    await first.close();
    const publishedAt = performance.now();
    await bus.publish(
      topic,
      range(6, 12).map((n) => message(n, `key-${n}`)),
    );
    let go: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (go = resolve));
    await bus.subscribe(topic, { group: consumers }, () => stuck);
    const lag = await eventually(async () => {
      const [now] = await bus.lag();
      expect(now?.oldestSeconds).toBeGreaterThanOrEqual(1);
      return now!;
    });
    expect(lag).toMatchObject({ ...reading, waiting: 7 });
    expect(lag.oldestSeconds).toBeLessThanOrEqual((performance.now() - publishedAt) / 1_000 + 1);
    go();
  });
});

describe('the relay', () => {
  it('carries each topic by any of the replicas, and deletes its rows', async () => {
    const topics = [topicOf(2), topicOf(2)];
    const pool = system.pool();
    const bus = await system.bus(topics);
    const relays = await Promise.all(range(1, 3).map(() => system.relay(topics, bus)));
    const recorders = topics.map(() => new Recorder());
    for (const [index, topic] of topics.entries()) {
      await bus.subscribe(topic, { group: group() }, recorders[index]!.handle);
      await intoOutbox(pool, topic, range(1, 50));
    }
    await eventually(() => expect(recorders.map(({ seen }) => seen.length)).toEqual([50, 50]));
    await relays[0]?.close();
    await relays[1]?.close();
    for (const topic of topics) await intoOutbox(pool, topic, range(51, 60));
    await eventually(() => expect(recorders.map(({ seen }) => seen.length)).toEqual([60, 60]));
    await eventually(async () => {
      const left = 'SELECT FROM outbox WHERE topic = ANY ($1)';
      const names = topics.map(({ name }) => name);
      expect((await pool.query(left, [names])).rowCount).toBe(0);
    });
  });

  it('sets aside what Kafka will never take, and goes on with its neighbours', async () => {
    const topic = topicOf(1);
    const pool = system.pool();
    const bus = await system.bus([topic]);
    await system.relay([topic], bus);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    const payloadOf = (n: number) =>
      JSON.stringify({ n, pad: n === 2 ? 'x'.repeat(1_100_000) : '' });
    await intoOutbox(pool, topic, range(1, 3), payloadOf);
    await eventually(() => expect(recorder.numbers).toEqual([1, 3]));
    const [letter] = await bus.listDeadLetters(topic, 'outbox-relay', 10);
    expect(letter).toMatchObject({
      id: 'message-2',
      attempts: 0,
      origin: { topic: 'billing.outbox', partition: 0, offset: 'message-2' },
    });
    expect(letter?.reason).toContain('does not fit into');
  });

  it('splits what is too much for one request of Kafka', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    const large = range(1, 30).map((n) => {
      const payload = JSON.stringify({ n, pad: 'x'.repeat(200_000) });
      return { ...message(n), payload };
    });
    await bus.publish(topic, large);
    await eventually(() => expect(recorder.numbers).toEqual(range(1, 30)));
  });
});

describe('a group whose members come and go', () => {
  it('loses nothing, keeps the order of each key, and hands over what was committed', async () => {
    const topic = topicOf(8);
    const consumers = group();
    const publisher = await system.bus([topic]);
    const seen: { n: number; key: string }[] = [];
    const join = async () => {
      const bus = await system.bus([topic]);
      const subscription = await bus.subscribe<{ n: number }>(
        topic,
        { group: consumers, batchSizeMax: 50 },
        async (batch) => {
          await sleep(20);
          seen.push(...batch.map(({ key, payload }) => ({ n: payload.n, key })));
        },
      );
      return { leave: () => subscription.close().then(() => bus.close()) };
    };
    await join();
    let going = true;
    const storm = (async () => {
      while (going) {
        const member = await join();
        await sleep(1_500);
        await member.leave();
        await sleep(500);
      }
    })();
    const total = 2_000;
    for (let n = 1; n <= total; n += 20) {
      await publisher.publish(
        topic,
        range(n, n + 19).map((one) => message(one, `key-${one % 37}`)),
      );
      await sleep(80);
    }
    going = false;
    await storm;
    await eventually(() => expect(new Set(seen.map(({ n }) => n)).size).toBe(total));
    const repeated = seen.length - total;
    expect(repeated).toBeLessThan(total / 20);
    for (const key of new Set(seen.map((one) => one.key))) {
      const first = [...new Set(seen.filter((one) => one.key === key).map(({ n }) => n))];
      expect(first).toEqual(first.toSorted((a, b) => a - b));
    }
  });
});
