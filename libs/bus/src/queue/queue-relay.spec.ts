import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { gate, message, newTopic, range } from '../contract/messages.kit.js';
import { logger, PostgresSystem } from '../contract/postgres-system.kit.js';
import type { OutgoingMessage } from '../bus.port.js';
import { QueueRelay } from './queue-relay.js';

let system: PostgresSystem;
const relays: QueueRelay[] = [];

beforeAll(async () => {
  system = await PostgresSystem.start();
});

afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.close();
});

afterAll(() => system?.stop());

type Publish = (topic: Topic, messages: readonly OutgoingMessage[]) => Promise<void>;

async function relayTo(publish: Publish, topics: readonly Topic[], batchSizeMax?: number) {
  const url = system.database.urlOf('billing');
  const target = { publish };
  const options = { service: 'billing', url, topics, target, logger, batchSizeMax } as const;
  const relay = await QueueRelay.open(options);
  relays.push(relay);
  return relay;
}

/** Records the ids of what it takes. */
function kafka() {
  const taken: string[] = [];
  const publish: Publish = async (_, messages) => void taken.push(...idsOf(messages));
  return { taken, publish };
}

const idsOf = (messages: readonly OutgoingMessage[]) => messages.map(({ id }) => id);

const rows = ({ name }: Topic) =>
  system.admin(
    `SELECT message_id, payload FROM billing.message_queue WHERE topic = $1 ORDER BY position`,
    [name],
  );

describe('the relay', () => {
  it('publishes what was committed, in order and batch by batch, and leaves no row', async () => {
    const topic = newTopic();
    const { taken, publish } = kafka();
    const relay = await relayTo(publish, [topic], 2);
    const messages = range(1, 5).map((n) => message(n, `key-${n % 2}`));
    await relay.write(topic, messages);
    await eventually(() => expect(taken).toEqual(idsOf(messages)));
    await eventually(async () => expect(await rows(topic)).toEqual([]));
  });

  it('keeps the rows of one topic while Kafka refuses them, and relays another topic', async () => {
    const [refused, other] = [newTopic(), newTopic()];
    const { taken, publish } = kafka();
    let isRefused = true;
    const relay = await relayTo(
      async (topic, messages) => {
        if (isRefused && topic === refused) throw new Error('no leader');
        await publish(topic, messages);
      },
      [refused, other],
    );
    await relay.write(refused, [message(1), message(2)]);
    await relay.write(other, [message(3)]);
    await eventually(() => expect(taken).toEqual(['message-3']));
    expect(await rows(refused)).toHaveLength(2);
    expect(await relay.backlog()).toMatchObject({ service: 'billing', waiting: 2 });
    isRefused = false;
    await eventually(() => expect(taken).toEqual(['message-3', 'message-1', 'message-2']));
  });

  it('of two processes, one at a time relays a topic, and sees the rows of both', async () => {
    const topic = newTopic();
    const { taken, publish } = kafka();
    const { opened, open } = gate();
    const batches: string[][] = [];
    const slowly: Publish = async (to, messages) => {
      batches.push(idsOf(messages));
      await opened;
      await publish(to, messages);
    };
    const [one, two] = [await relayTo(slowly, [topic]), await relayTo(slowly, [topic])];
    await one.write(topic, [message(1)]);
    await eventually(() => expect(batches).toEqual([['message-1']]));
    await two.write(topic, [message(2)]);
    await two.write(topic, [message(3)]);
    expect(batches).toHaveLength(1);
    open();
    await eventually(() => expect(taken).toEqual(['message-1', 'message-2', 'message-3']));
    await eventually(async () => expect(await rows(topic)).toEqual([]));
  });

  it('a batch whose connection breaks is published again, and writes go on meanwhile', async () => {
    const topic = newTopic();
    const { taken, publish } = kafka();
    const { opened, open } = gate();
    const relay = await relayTo(
      async (to, messages) => {
        await publish(to, messages);
        await opened;
      },
      [topic],
    );
    await relay.write(topic, [message(1)]);
    await eventually(() => expect(taken).toEqual(['message-1']));
    await relay.write(topic, [message(2)]);
    await system.admin(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction'
          AND application_name = 'watchword-relay-billing'`,
    );
    open();
    await eventually(() => expect(taken).toEqual(['message-1', 'message-1', 'message-2']));
    await eventually(async () => expect(await rows(topic)).toEqual([]));
  });
});
