import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerProcess } from '@watchword/local-servers';
import { eventually } from '@watchword/testing';
import { createLogger } from '@watchword/observability';
import type { Topic } from '@watchword/contracts';
import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { message, range, Recorder } from '../../libs/bus/src/contract/messages.kit.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

let system: KafkaTestSystem;
let broker: ServerProcess;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
  broker = system.kafka.nodes[0] as ServerProcess;
}, 180_000);

afterEach(() => system.tidy(), 60_000);

afterAll(() => system?.stop(), 60_000);

/** Another program, which knows nothing of us. */
function stranger() {
  return new Kafka({ brokers: [...system.kafka.brokers], logLevel: logLevel.NOTHING });
}

async function alter(topic: Topic, name: string, value: string): Promise<void> {
  const admin = stranger().admin();
  await admin.connect();
  const { retentionHours } = topic;
  // What is not named goes back to its default.
  const retention = { name: 'retention.ms', value: String(retentionHours * 3_600_000) };
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic.name };
  const configEntries = [retention, { name, value }];
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
  await admin.disconnect();
  // The controller knows it now; the broker, which is asked, soon.
  await eventually(async () => expect(await settingsOf(topic, [name])).toEqual([value]));
}

/** In the order in which they are asked for. */
async function settingsOf({ name }: Topic, configNames: string[]): Promise<(string | undefined)[]> {
  const admin = stranger().admin();
  await admin.connect();
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name, configNames }],
  });
  await admin.disconnect();
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
    const consumer = stranger().consumer({ groupId: group() });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic.name], fromBeginning: true });
    const received = await new Promise<{ key: string; value: string; headers: object }>(
      (resolve) =>
        void consumer.run({
          eachMessage: async ({ message: { key, value, headers = {} } }) => {
            const texts = Object.entries(headers).map(([name, text]) => [name, String(text)]);
            const all = { headers: Object.fromEntries(texts) as object };
            resolve({ key: String(key), value: String(value), ...all });
          },
        }),
    );
    await consumer.disconnect();
    expect(received).toEqual({
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
    });
  });

  it('is a dead letter when a stranger has published what is none', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const recorder = new Recorder();
    const consumers = group();
    await bus.subscribe(topic, { group: consumers }, recorder.handle);
    const producer = stranger().producer();
    await producer.connect();
    await producer.send({ topic: topic.name, messages: [{ key: 'k', value: '{"n":1}' }] });
    await producer.disconnect();
    await bus.publish(topic, [message(2)]);
    await eventually(() => expect(recorder.numbers).toEqual([2]));
    const letter = {
      reason: 'the headers are not those of a CloudEvent',
      group: consumers,
      origin: { topic: topic.name, partition: 0, offset: '0' },
    };
    // Its neighbours do not wait for it, so that it may be written after them.
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

  it('of before are told to store what is compressed as it is, and keep their other settings', async () => {
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
    await bus.publish(
      topic,
      range(6, 12).map((n) => message(n, `key-${n}`)),
    );
    await sleep(1_200);
    let go: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (go = resolve));
    await bus.subscribe(topic, { group: consumers }, () => stuck);
    expect(await bus.lag()).toEqual([{ ...reading, waiting: 7, oldestSeconds: 1 }]);
    go();
  });
});

describe('a Kafka that is away', () => {
  it('delays no start, refuses what is published, and is found when it comes', async () => {
    const topic = topicOf(2);
    await broker.kill();
    const bus = await system.bus([topic]);
    expect(bus.ready).toBe(false);
    await expect(bus.look()).rejects.toThrow('has not been found');
    await expect(bus.publish(topic, [message(1)])).rejects.toThrow('has not taken the messages');
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    await broker.start();
    await eventually(() => expect(bus.ready).toBe(true), 20_000);
    await eventually(() => bus.publish(topic, [message(2)]), 20_000);
    await eventually(() => expect(recorder.numbers).toEqual([2]), 20_000);
    await eventually(() => bus.look());
  }, 90_000);

  it('is seen to be away by a look, also when nothing is published', async () => {
    const topic = topicOf(1);
    const [idle, reading] = [await system.bus([topic]), await system.bus([topic])];
    const { joined } = await reading.subscribe(topic, { group: group() }, async () => undefined);
    await joined;
    await Promise.all([idle.look(), reading.look()]);
    await broker.kill();
    await Promise.all([idle, reading].map((bus) => expect(bus.look()).rejects.toThrow()));
    await broker.start();
    await eventually(() => idle.look(), 20_000);
    await eventually(() => reading.look(), 20_000);
  }, 90_000);

  it.each(['SIGKILL', 'SIGSTOP'])(
    'loses nothing of the outbox: %s',
    async (how) => {
      const topic = topicOf(4);
      const pool = system.pool();
      const [publishing, consuming] = [await system.bus([topic]), await system.bus([topic])];
      await system.relay([topic], publishing);
      const recorder = new Recorder();
      await consuming.subscribe(topic, { group: group() }, recorder.handle);
      let written = 0;
      const write = async (until: number) => {
        while (written < until)
          await intoOutbox(pool, topic, [(written += 1)]).then(() => sleep(2));
      };
      await write(300);
      if (how === 'SIGKILL') await broker.kill();
      else broker.pause();
      await write(900);
      await sleep(2_000);
      if (how === 'SIGKILL') await broker.start();
      else broker.resume();
      await write(1_000);
      await eventually(() => expect(new Set(recorder.numbers).size).toBe(1_000), 30_000);
      for (const key of range(0, 9)) {
        const ofKey = [...new Set(recorder.numbers.filter((n) => n % 10 === key))];
        expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
      }
    },
    90_000,
  );

  it('is no error to those who watch the log, beyond one line of each who waits', async () => {
    const lines: string[] = [];
    const logger = createLogger(
      { service: 'test', level: 'info' },
      { write: (line) => lines.push(line) },
    );
    const topic = topicOf(2);
    const pool = system.pool();
    const bus = await system.bus([topic], { logger });
    await system.relay([topic], bus, logger);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    await intoOutbox(pool, topic, [1]);
    await eventually(() => expect(recorder.numbers).toEqual([1]));
    expect(lines).toEqual([]);
    await broker.kill();
    await intoOutbox(pool, topic, [2]);
    await sleep(3_000);
    await broker.start();
    await eventually(() => expect(new Set(recorder.numbers)).toEqual(new Set([1, 2])), 30_000);
    await eventually(() => expect(lines).toHaveLength(4));
    const said = lines.map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(said.map(({ level }) => level)).not.toContain('error');
    const sentences = said.map(({ msg }) => msg);
    expect(sentences.toSorted()).toEqual([
      'cannot consume',
      'consuming again',
      'relay waiting',
      'the relay goes on',
    ]);
  }, 90_000);
});

describe('the relay', () => {
  it('carries each topic once, by any of the replicas, and its rows can go', async () => {
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
    expect(await relays[2]?.prune(3_600)).toBe(0);
    await eventually(async () => {
      await relays[2]?.prune(0);
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
    const { rows } = await pool.query<{ position: number }>(
      'SELECT position FROM outbox WHERE topic = $1 AND message_id = $2',
      [topic.name, 'message-2'],
    );
    expect(letter).toMatchObject({
      id: 'message-2',
      attempts: 0,
      origin: { topic: 'billing.outbox', partition: 0, offset: String(rows[0]?.position) },
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
    const total = 4_000;
    for (let n = 1; n <= total; n += 20) {
      await publisher.publish(
        topic,
        range(n, n + 19).map((one) => message(one, `key-${one % 37}`)),
      );
      await sleep(80);
    }
    going = false;
    await storm;
    await eventually(() => expect(new Set(seen.map(({ n }) => n)).size).toBe(total), 30_000);
    const repeated = seen.length - total;
    expect(repeated).toBeLessThan(total / 20);
    for (const key of new Set(seen.map((one) => one.key))) {
      const first = [...new Set(seen.filter((one) => one.key === key).map(({ n }) => n))];
      expect(first).toEqual(first.toSorted((a, b) => a - b));
    }
  }, 120_000);
});
