import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { Kafka, type KafkaMessage, logLevel } from 'kafkajs';
import {
  message,
  range,
  Recorder,
  type TestPayload,
} from '../../libs/bus/src/contract/messages.kit.js';
import { Cable } from './cable.kit.js';
import { group, intoQueue, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

let system: KafkaTestSystem;
/** Another program at the same Kafka. */
let other: Kafka;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
  other = new Kafka({ brokers: [...system.kafka.brokers], logLevel: logLevel.NOTHING });
});

afterEach(() => system.tidy());

afterAll(() => system?.stop());

async function firstOf(topic: string): Promise<KafkaMessage> {
  const consumer = other.consumer({ groupId: group() });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    return await new Promise<KafkaMessage>((resolve, reject) => {
      const eachMessage = async ({ message: first }: { message: KafkaMessage }) => resolve(first);
      consumer.run({ eachMessage }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
}

describe('a message in Kafka', () => {
  it('a message in Kafka is a CloudEvent in binary mode', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const sent = { ...message(1, '+2348012345678'), traceparent };
    await bus.publish(topic, [sent]);
    const { key, value, headers = {} } = await firstOf(topic.name);
    expect([String(key), String(value)]).toEqual(['+2348012345678', '{"n":1}']);
    expect(Object.entries(headers).map(([name, text]) => [name, String(text)])).toEqual(
      expect.arrayContaining([
        ['content-type', 'application/json'],
        ['ce_specversion', '1.0'],
        ['ce_id', 'message-1'],
        ['ce_type', 'test.happened.v1'],
        ['ce_source', '/watchword/billing'],
        ['ce_time', sent.time],
        ['traceparent', traceparent],
      ]),
    );
  });

  it('a message in Kafka is a dead letter when another producer has published something else', async () => {
    const topic = topicOf(1);
    const bus = await system.bus([topic]);
    const recorder = new Recorder();
    const consumers = group();
    await bus.subscribe(topic, { group: consumers }, recorder.handle);
    const producer = other.producer();
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
    // Its neighbours do not wait for it, so it may be written after them.
    const letters = () => bus.listDeadLetters(topic, consumers, 10);
    await eventually(async () => expect(await letters()).toMatchObject([letter]));
  });
});

describe('a fetch', () => {
  it('its offsets are committed in the end, although the first commit failed', async () => {
    const topic = topicOf(4);
    const cable = new Cable();
    const bus = await system.bus([topic], {
      sessionTimeoutMs: 30_000,
      socketFactory: cable.plugIn,
    });
    const recorder = new Recorder();
    let isCut = false;
    await bus.subscribe<TestPayload>(topic, { group: group() }, async (batch) => {
      await recorder.handle(batch);
      if (!isCut) cable.cutFor(200);
      isCut = true;
    });
    const publishing = await system.bus([topic]);
    const messages = range(1, 8).map((n) => message(n, `key-${n}`));
    await publishing.publish(topic, messages);
    await eventually(() => expect(new Set(recorder.numbers).size).toBe(messages.length));
    await eventually(async () => expect(await bus.lag()).toMatchObject([{ waiting: 0 }]));
  });
});

describe('topics', () => {
  it('topics are refused with every difference when they are not as declared', async () => {
    const topic = topicOf(2);
    await system.bus([topic]);
    const otherwise = { ...topic, partitions: 3, retentionHours: 2 };
    await expect(system.bus([otherwise])).rejects.toThrow(
      `Kafka's topics are not as declared: ${topic.name} has partitions 2, 3 is declared; ` +
        `${topic.name} has retention.ms 3600000, 7200000 is declared`,
    );
  });
});

describe('a consumer', () => {
  it('a consumer gets what waits in several partitions in one batch, in the order of each key', async () => {
    const topic = topicOf(4);
    const bus = await system.bus([topic]);
    const numbers = range(1, 100);
    await bus.publish(
      topic,
      numbers.map((n) => message(n, `key-${n % 10}`)),
    );
    const recorder = new Recorder();
    const sizes: number[] = [];
    await bus.subscribe<TestPayload>(topic, { group: group() }, async (batch) => {
      sizes.push(batch.length);
      await recorder.handle(batch);
    });
    await eventually(() => expect(recorder.numbers.toSorted((a, b) => a - b)).toEqual(numbers));
    expect(sizes.length).toBeLessThan(topic.partitions);
    for (const key of range(0, 9)) {
      const ofKey = recorder.numbers.filter((n) => n % 10 === key);
      expect(ofKey).toEqual(ofKey.toSorted((a, b) => a - b));
    }
  });
});

describe('the relay', () => {
  it('the relay sets aside what Kafka will never take, and goes on with its neighbours', async () => {
    const topic = topicOf(1);
    const pool = system.pool();
    const bus = await system.bus([topic]);
    await system.relay([topic], bus);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: group() }, recorder.handle);
    const payloadOf = (n: number) =>
      JSON.stringify({ n, pad: n === 2 ? 'x'.repeat(1_100_000) : '' });
    await intoQueue(pool, topic, range(1, 3), payloadOf);
    await eventually(() => expect(recorder.numbers).toEqual([1, 3]));
    const [letter] = await bus.listDeadLetters(topic, 'queue-relay', 10);
    expect(letter).toMatchObject({
      id: 'message-2',
      attempts: 0,
      origin: { topic: 'billing.message_queue', partition: 0, offset: 'message-2' },
    });
    expect(letter?.reason).toContain('do not fit into');
  });

  it('the relay splits what is too much for one request of Kafka', async () => {
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
