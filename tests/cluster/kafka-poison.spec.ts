/**
 * A message that cannot be handled is set aside with its reason, and its neighbours continue. Issue
 * 4, section 2.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { Type } from '@sinclair/typebox';
import { deadLetterTopicName, type Topic } from '@watchword/contracts';
import { CompressionCodecs, CompressionTypes } from 'kafkajs';
import type { IncomingMessage, OutgoingMessage } from '@watchword/bus';
import type { KafkaBus } from '../../libs/bus/src/kafka/kafka-bus.adapter.js';
import { partitionOf } from '../../libs/bus/src/kafka/partitioner.js';
import { message, range, type TestPayload } from '../../libs/bus/src/contract/messages.kit.js';
import { KafkaStranger, type StoredRecord } from '../support/kafka-stranger.js';
import { group, intoOutbox, KafkaTestSystem, topicOf } from './kafka-system.kit.js';

const partitions = 4;
/** One neighbour every few milliseconds, long enough to see the pause and its end. */
const neighbours = 300;
const everyMs = 10;
const poisonAfter = 100;
const delayMaxMs = 1_000;
/** Milliseconds. A longer wait means that something stopped all of them. */
const busyMaxMs = 4_000;
const poisonKey = 'poison';
const poisonPartition = partitionOf(poisonKey, partitions);

let system: KafkaTestSystem;

beforeAll(async () => {
  system = await KafkaTestSystem.start();
});

afterEach(() => system.tidy());

afterAll(() => system?.stop());

interface Neighbour {
  n: number;
  key: string;
  publishedAt: number;
  handledAt?: number;
}

/**
 * Publishes to all partitions in turn, and measures how long each message waited for its handler.
 */
class Neighbours {
  readonly all: Neighbour[] = [];
  private readonly byNumber = new Map<number, Neighbour>();

  publishNext(bus: KafkaBus, topic: Topic): void {
    const n = this.all.length + 1;
    // Every sixth has the key of the poison and comes after it.
    const key = n % 6 === 0 ? poisonKey : `key-${n % 12}`;
    const neighbour: Neighbour = { n, key, publishedAt: performance.now() };
    this.all.push(neighbour);
    this.byNumber.set(n, neighbour);
    void bus.publish(topic, [message(n, key)]);
  }

  handled(batch: readonly IncomingMessage<TestPayload>[]): void {
    for (const { payload } of batch) {
      const neighbour = this.byNumber.get(payload.n);
      if (neighbour) neighbour.handledAt ??= performance.now();
    }
  }

  /** Returns the longest wait of these. */
  delayMs(of: (neighbour: Neighbour) => boolean): number {
    const waited = this.all
      .filter(of)
      .map(({ publishedAt, handledAt = Infinity }) => handledAt - publishedAt);
    return Math.round(Math.max(...waited));
  }
}

const isOfKey = ({ key }: Neighbour) => key === poisonKey;
const isBeside = ({ key }: Neighbour) =>
  key !== poisonKey && partitionOf(key, partitions) === poisonPartition;
const isElsewhere = ({ key }: Neighbour) => partitionOf(key, partitions) !== poisonPartition;

/** Drops something into a steady stream. Returns how long the neighbours waited. */
async function dropInto(
  topic: Topic,
  consumers: string,
  drop: (bus: KafkaBus) => Promise<unknown>,
  isPoison: (payload: TestPayload) => boolean = () => false,
  batchSizeMax = 500,
) {
  const [publisher, consumer] = [await system.bus([topic]), await system.bus([topic])];
  const stream = new Neighbours();
  const subscription = await consumer.subscribe<TestPayload>(
    topic,
    { group: consumers, batchSizeMax },
    async (batch) => {
      if (batch.some(({ payload }) => isPoison(payload))) throw new Error('a defect');
      stream.handled(batch);
    },
  );
  await subscription.joined;
  const dropped: Promise<unknown>[] = [];
  for (const n of range(1, neighbours)) {
    stream.publishNext(publisher, topic);
    if (n === poisonAfter) dropped.push(drop(publisher));
    await sleep(everyMs);
  }
  await Promise.all(dropped);
  await eventually(() => expect(stream.all.every(({ handledAt }) => handledAt)).toBe(true));
  const delays = {
    ofItsKey: stream.delayMs(isOfKey),
    besideIt: stream.delayMs(isBeside),
    elsewhere: stream.delayMs(isElsewhere),
  };
  console.log(
    `${expect.getState().currentTestName}: neighbours waited ${JSON.stringify(delays)} ms`,
  );
  return delays;
}

/** Another program at the same Kafka, for as long as it works. */
async function asStranger<Answer>(work: (stranger: KafkaStranger) => Promise<Answer>) {
  const stranger = await KafkaStranger.open(system.kafka.brokers);
  return work(stranger).finally(() => stranger.close());
}

/** Returns all records of a topic. */
const stored = (topic: string) =>
  asStranger((stranger) => stranger.readOldest([topic], Number.MAX_SAFE_INTEGER));

const publishAsStranger = ({ name }: Topic, value: string, compression?: CompressionTypes) =>
  asStranger((stranger) => {
    const record = { key: poisonKey, value, partition: poisonPartition, headers: {} };
    return stranger.publish(name, [record], compression);
  });

/** The client of both knows no zstd: it is lent to the stranger, while it writes. */
async function publishWithZstd(topic: Topic, value: string): Promise<void> {
  const unknown = CompressionCodecs[CompressionTypes.ZSTD];
  const compress = async ({ buffer }: { buffer: Buffer }) => zstdCompressSync(buffer);
  const decompress = async (buffer: Buffer) => buffer;
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({ compress, decompress });
  try {
    await publishAsStranger(topic, value, CompressionTypes.ZSTD);
  } finally {
    CompressionCodecs[CompressionTypes.ZSTD] = unknown;
  }
}

interface Death {
  reason: string;
  attempts: string;
}

/** Expects the topic's one dead letter: its content and place, with reason and group. */
async function expectOneLetter(topic: Topic, consumers: string, value: string, death: Death) {
  await expectLetters(topic, consumers, [[value, death]]);
}

/** Expects these dead letters and no others, in their order. */
async function expectLetters(topic: Topic, consumers: string, deaths: readonly [string, Death][]) {
  const originals = await stored(topic.name);
  const letters = await stored(deadLetterTopicName(topic));
  expect(letters).toHaveLength(deaths.length);
  for (const [index, [value, { reason, attempts }]] of deaths.entries()) {
    const original = originals.find((record) => record.value === value);
    expect(original).toMatchObject({ key: poisonKey, partition: poisonPartition });
    const { headers, ...letter } = letters[index] as StoredRecord;
    expect({ key: letter.key, isTheSame: letter.value === value }).toEqual({
      key: poisonKey,
      isTheSame: true,
    });
    expect(headers).toEqual({
      ...original?.headers,
      dead_letter_topic: topic.name,
      dead_letter_partition: String(poisonPartition),
      dead_letter_offset: original?.offset,
      dead_letter_group: consumers,
      dead_letter_reason: reason,
      dead_letter_attempts: attempts,
      dead_letter_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  }
}

/** Other partitions are not affected. Their wait shows how busy the machine was. */
function expectSoon({ ofItsKey, besideIt, elsewhere }: Awaited<ReturnType<typeof dropInto>>): void {
  expect(elsewhere).toBeLessThanOrEqual(busyMaxMs);
  expect(ofItsKey - elsewhere).toBeLessThanOrEqual(delayMaxMs);
  expect(besideIt - elsewhere).toBeLessThanOrEqual(delayMaxMs);
}

const poison = (payload: string, over: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...message(0, poisonKey, payload),
  ...over,
});

describe('its neighbours wait for at most a second, and a dead letter says why, of', () => {
  it('a malformed message, one of a wrong form and an unknown version', async () => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const unreadable: [OutgoingMessage, string][] = [
      [poison('{"n": 1'), 'the payload is not JSON'],
      [poison('{"n": "one"}'), '/n must be integer'],
      [poison('{"n": 0}', { type: 'test.happened.v2' }), 'its type is none of this topic'],
    ];
    const sent = unreadable.map(([message]) => message);
    expectSoon(await dropInto(topic, consumers, (bus) => bus.publish(topic, sent)));
    const deaths = unreadable.map(([{ payload }, reason]): [string, Death] => [
      payload,
      { reason, attempts: '0' },
    ]);
    await expectLetters(topic, consumers, deaths);
  });

  it.each([
    ['among others', 500],
    ['alone', 1],
  ])('a message whose handler always throws, handled %s', async (_, batchSizeMax) => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const sent = poison('{"n": 0}');
    const drop = (bus: KafkaBus) => bus.publish(topic, [sent]);
    expectSoon(await dropInto(topic, consumers, drop, ({ n }) => n === 0, batchSizeMax));
    await expectOneLetter(topic, consumers, sent.payload, {
      reason: 'Error: a defect',
      attempts: '5',
    });
  });

  it('twenty of one key whose handler always throws', async () => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const numbers = range(-20, -1);
    const drop = (bus: KafkaBus) =>
      bus.publish(
        topic,
        numbers.map((n) => message(n, poisonKey)),
      );
    expectSoon(await dropInto(topic, consumers, drop, ({ n }) => n < 0));
    const letters = await stored(deadLetterTopicName(topic));
    expect(letters.map(({ value }) => value)).toEqual(numbers.map((n) => `{"n":${n}}`));
  });

  it('a megabyte of a stranger', async () => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const value = 'x'.repeat(1_000_000);
    const drop = () => publishAsStranger(topic, value);
    expectSoon(await dropInto(topic, consumers, drop));
    await expectOneLetter(topic, consumers, value, {
      reason: 'the headers are not those of a CloudEvent',
      attempts: '0',
    });
  });
});

describe('what a stranger has compressed', () => {
  it('with what our client cannot read is stored as it is, and goes to the dead letters', async () => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const value = 'x'.repeat(100);
    expectSoon(await dropInto(topic, consumers, () => publishWithZstd(topic, value)));
    await expectOneLetter(topic, consumers, value, {
      reason: 'the headers are not those of a CloudEvent',
      attempts: '0',
    });
  });

  it('is refused when it unpacks to more than anybody may publish', async () => {
    const [topic, consumers] = [topicOf(partitions), group()];
    const bomb = 'x'.repeat(20_000_000);
    const drop = () =>
      expect(publishAsStranger(topic, bomb, CompressionTypes.GZIP)).rejects.toMatchObject({
        type: 'MESSAGE_TOO_LARGE',
      });
    expectSoon(await dropInto(topic, consumers, drop));
    expect(await stored(deadLetterTopicName(topic))).toEqual([]);
  });
});

describe('a megabyte in the outbox, which Kafka does not take,', () => {
  it('stays out with its reason and its place, and its neighbours wait for at most a second', async () => {
    const topic = { ...topicOf(partitions), messages: { 'test.happened.v1': Type.Any() } };
    const pool = system.pool();
    const [carrying, consuming] = [await system.bus([topic]), await system.bus([topic])];
    await system.relay([topic], carrying);
    const handledAt = new Map<number, number>();
    const subscription = await consuming.subscribe<TestPayload>(
      topic,
      { group: group() },
      async (batch) => {
        for (const { payload } of batch) handledAt.set(payload.n, performance.now());
      },
    );
    await subscription.joined;
    const writtenAt: number[] = [];
    const payloadOf = (n: number) =>
      JSON.stringify({ n, pad: n === 50 ? 'x'.repeat(1_000_000) : '' });
    for (const n of range(1, 150)) {
      await intoOutbox(pool, topic, [n], payloadOf);
      writtenAt[n] = performance.now();
      await sleep(everyMs);
    }
    await eventually(() => expect(handledAt.size).toBe(149));
    const delays = [...handledAt].map(([n, at]) => at - (writtenAt[n] as number));
    const longest = Math.round(Math.max(...delays));
    const before = Math.round(Math.max(...delays.slice(0, 49)));
    console.log(`neighbours of a megabyte waited ${longest} ms, those before it ${before} ms`);
    expect(longest - before).toBeLessThanOrEqual(delayMaxMs);
    const [letter, ...others] = await stored(deadLetterTopicName(topic));
    expect(others).toEqual([]);
    expect(letter?.value).toBe(payloadOf(50));
    expect(letter?.headers).toMatchObject({
      ce_id: 'message-50',
      dead_letter_topic: 'billing.outbox',
      dead_letter_partition: '0',
      dead_letter_offset: 'message-50',
      dead_letter_group: 'outbox-relay',
      dead_letter_reason: expect.stringMatching(/^a message of \d+ bytes does not fit into /),
      dead_letter_attempts: '0',
    });
  });
});
