import { beforeEach, describe, expect, it } from '@jest/globals';
import { TransientError } from '../bus.port.js';
import { newTopic } from '../contract/messages.kit.js';
import type { Admin, EachBatchPayload, KafkaClient } from './kafka-client.adapter.js';
import { KafkaDeadLetters } from './kafka-dead-letters.js';
import { type KafkaPublisher, MessageTooLarge } from './kafka-publisher.js';
import { type KafkaRecord, sizeOf } from './kafka-record.js';

/** An error as the client makes it: the broker's answer wrapped by the client. */
function answered(type: string): Error {
  const said = Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type });
  return wrapped(said);
}

function wrapped(cause: Error): Error {
  const error = new Error(cause.message, { cause });
  return Object.assign(error, { name: 'KafkaJSNumberOfRetriesExceeded' });
}

function disconnected(): Error {
  const error = Object.assign(new Error('Connection error'), { code: 'ECONNREFUSED' });
  return wrapped(Object.assign(error, { name: 'KafkaJSConnectionError' }));
}

function unknownUser(): Error {
  return Object.assign(new Error('no'), { name: 'KafkaJSSASLAuthenticationError' });
}

const topic = newTopic();
const group = 'g';
/** Errors that the dead-letter topic returns on a read and on a write of a copy. */
let looking: Error | undefined;
let writing: Error | undefined;
let isRefused: (record: KafkaRecord) => boolean;
let written: KafkaRecord[];
let letters: KafkaDeadLetters;

/** A topic that holds one letter of the group, in its first partition. */
class OneLetter {
  readonly events = { CRASH: 'consumer.crash' };
  private crash: (event: { payload: { error: Error } }) => void = () => undefined;

  connect = async () => undefined;
  disconnect = async () => undefined;
  subscribe = async () => undefined;

  on(_event: string, listener: typeof this.crash): void {
    this.crash = listener;
  }

  async run({ eachBatch }: { eachBatch: (payload: EachBatchPayload) => Promise<void> }) {
    const headers = { dead_letter_group: Buffer.from(group) };
    const message = { key: null, value: Buffer.from('{}'), offset: '0', headers };
    const payload = {
      batch: { partition: 0, messages: [message], lastOffset: () => '0' },
      heartbeat: async () => undefined,
      commitOffsetsIfNecessary: async () => undefined,
    } as unknown as EachBatchPayload;
    await eachBatch(payload).catch((error: Error) =>
      this.crash({ payload: { error: wrapped(error) } }),
    );
  }
}

beforeEach(() => {
  looking = undefined;
  writing = undefined;
  isRefused = () => true;
  written = [];
  const admin = {
    fetchOffsets: async () => [{ topic: topic.name, partitions: [] }],
    fetchTopicOffsets: async () => {
      if (looking) throw looking;
      return [{ partition: 0, offset: '1', low: '0', high: '1' }];
    },
  } as unknown as Admin;
  const publisher = {
    publish: async (_: unknown, records: readonly KafkaRecord[]) => {
      if (writing && isRefused(records[0] as KafkaRecord)) throw writing;
      written.push(...records);
    },
  } as unknown as KafkaPublisher;
  const client = { consumer: () => new OneLetter() } as unknown as KafkaClient;
  letters = new KafkaDeadLetters(client, async () => admin, publisher);
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('dead letters that cannot be read', () => {
  it.each([
    ['the broker is away', disconnected],
    ['its group is being moved', () => answered('NOT_COORDINATOR_FOR_GROUP')],
    ['too few copies are in step', () => answered('NOT_ENOUGH_REPLICAS')],
  ])('are to be asked for again when %s', async (_, failure) => {
    looking = failure();
    const error = await failureOf(letters.list(topic, group, 10));
    expect(error).toBeInstanceOf(TransientError);
    expect((error as Error).cause).toBe(looking);
  });

  it.each([
    ['their topic is missing', () => answered('UNKNOWN_TOPIC_OR_PARTITION')],
    ['we have no right to', () => answered('TOPIC_AUTHORIZATION_FAILED')],
    ['our user is refused', unknownUser],
    ['a defect of ours is the cause', () => new TypeError('no month')],
  ])('say so for good when %s', async (_, failure) => {
    looking = failure();
    expect(await failureOf(letters.list(topic, group, 10))).toBe(looking);
  });
});

describe('dead letters that cannot be replayed', () => {
  it('are to be asked for again when Kafka takes nothing now', async () => {
    writing = new TransientError('Kafka has not taken the messages', new Error('no answer'));
    expect(await failureOf(letters.replay(topic, group))).toBeInstanceOf(TransientError);
  });

  it.each([
    ['a copy is too large', () => new MessageTooLarge(topic.name, 2_000_000)],
    [
      'the broker finds it too large',
      () => new TransientError('Kafka has not taken the messages', answered('MESSAGE_TOO_LARGE')),
    ],
    [
      'we may not write',
      () => new TransientError('not taken', answered('TOPIC_AUTHORIZATION_FAILED')),
    ],
    ['a defect of ours is the cause', () => new TypeError('no month')],
  ])('say so for good when %s', async (_, failure) => {
    writing = failure();
    const error = (await failureOf(letters.replay(topic, group))) as Error;
    expect(error).not.toBeInstanceOf(TransientError);
    expect(error.cause).toBe(writing);
  });

  it('are replayed otherwise', async () => {
    expect(await letters.replay(topic, group)).toBe(1);
  });
});

describe('dead letters that are discarded', () => {
  it('are counted, and no copy is written', async () => {
    expect(await letters.discard(topic, group)).toBe(1);
    expect(await letters.discard(topic, 'another')).toBe(0);
    expect(written).toEqual([]);
  });
});

describe('a letter that the dead-letter topic does not take', () => {
  const at = { topic: topic.name, partition: 3, offset: '17' };
  const bury = (record: KafkaRecord) =>
    letters.bury(topic, group, { fetched: { at, record }, attempts: 0, reason: 'a defect' });
  const id = { ce_id: 'message-1' };

  it.each([
    ['we know its bounds', () => new MessageTooLarge(topic.name, 9_000_000)],
    [
      'the broker has others',
      () => new TransientError('Kafka has not taken the messages', answered('MESSAGE_TOO_LARGE')),
    ],
  ])('because it is too large lies there without its value when %s', async (_, failure) => {
    writing = failure();
    isRefused = (record) => sizeOf(record) > 10_000;
    await bury({ key: 'k', value: 'x'.repeat(1_000_000), headers: id });
    await bury({ key: 'k'.repeat(1_000_000), value: '', headers: id });
    await bury({ key: 'k', value: '', headers: { ...id, pad: 'x'.repeat(1_000_000) } });
    expect(written).toHaveLength(3);
    for (const { key, value, headers } of written) {
      expect({ key: key[0], value }).toEqual({ key: 'k', value: '' });
      expect(headers).toEqual({
        ...id,
        dead_letter_topic: topic.name,
        dead_letter_partition: '3',
        dead_letter_offset: '17',
        dead_letter_group: group,
        dead_letter_reason: 'a defect',
        dead_letter_attempts: '0',
        dead_letter_time: expect.any(String),
        dead_letter_bytes: expect.stringMatching(/^1000\d{3}$/),
      });
    }
  });

  it.each([
    ['Kafka is away', 1_000_000, disconnected],
    ['another one of the same request is too large', 100, () => answered('MESSAGE_TOO_LARGE')],
  ])('is not shortened when %s', async (_, length, failure) => {
    writing = failure();
    isRefused = ({ value }) => value !== '';
    expect(await failureOf(bury({ key: 'k', value: 'x'.repeat(length), headers: id }))).toBe(
      writing,
    );
    expect(written).toEqual([]);
  });
});
