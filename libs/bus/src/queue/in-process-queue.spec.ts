import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { eventually } from '@watchword/testing';
import type { OutgoingMessage } from '../bus.port.js';
import { message, newTopic, range, Recorder, type TestPayload } from '../contract/messages.kit.js';
import { logger, PostgresSystem } from '../contract/postgres-system.kit.js';
import { type BusTimes, PostgresBus } from '../postgres/postgres-bus.adapter.js';
import type { Due } from './in-process-queue.js';

type Times = Partial<BusTimes>;

let system: PostgresSystem;
const buses: PostgresBus[] = [];

beforeAll(async () => {
  system = await PostgresSystem.start();
});
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});
afterAll(() => system.stop());

async function open(topics: readonly Topic[], direct: readonly Topic[] = [], times: Times = {}) {
  const url = system.database.urlOf('bus');
  const bus = await PostgresBus.open({ url, logger, topics, direct, times });
  buses.push(bus);
  return bus;
}

/** Writes as a service does: an insert in its own transaction, with `due`. */
async function write(
  bus: PostgresBus,
  topic: Topic,
  messages: readonly OutgoingMessage[],
  { isInserted = true, fails = false, after = Promise.resolve() } = {},
): Promise<Due> {
  return bus.inProcessQueueOf(topic.owner).write([topic], async (due) => {
    if (isInserted) await insert(topic, messages, due);
    await after;
    if (fails) throw new Error('the answer was lost');
    const written = messages.map((one) => ({ ...one, topic: topic.name }));
    return { result: due, messages: () => written };
  });
}

async function insert(topic: Topic, messages: readonly OutgoingMessage[], due: Due | '') {
  const url = system.database.urlOf(topic.owner);
  const client = createClient({ url, applicationName: 'service', schema: topic.owner });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SELECT set_config('watchword.due', $1, true)`, [due]);
  for (const { key, id, type, time, payload } of messages) {
    await client.query(
      `INSERT INTO message_queue (topic, reader, key, message_id, type, occurred_at, payload)
       SELECT topic, reader, $2, $3, $4, $5, $6 FROM message_queue_readers WHERE topic = $1`,
      [topic.name, key, id, type, time, payload],
    );
  }
  await client.query('COMMIT');
  await client.end();
}

/** Opens a bus without neighbours. Its one consumer has read everything. */
async function alone(topic: Topic, recorder: Recorder, group = 'g') {
  const bus = await open([topic]);
  await bus.subscribe(topic, { group }, recorder.handle);
  await untilAlone(bus, topic);
  return bus;
}

async function untilAlone(bus: PostgresBus, topic: Topic): Promise<void> {
  await eventually(async () => expect(await write(bus, topic, [])).toBe('later'));
}

const rows = (topic: Topic) =>
  system.admin('SELECT FROM billing.message_queue WHERE topic = $1', [topic.name]);

describe('what a transaction of the same process has published', () => {
  it('is handled without a poll of the table', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    await write(bus, topic, [message(1)], { isInserted: false });
    await eventually(() => expect(recorder.numbers).toEqual([1]));
  });

  it('is not parsed again where its writer passes the value', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    let n = 0;
    // A read that an earlier write requested may come first.
    await eventually(async () => {
      const value: TestPayload = { n: (n += 1) };
      await write(bus, topic, [{ ...message(n), value }]);
      await eventually(() => expect(recorder.seen).toHaveLength(n));
      expect(recorder.seen.at(-1)?.payload).toBe(value);
    });
  });

  it('is handled once, and its rows are deleted', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    for (const n of range(1, 5)) await write(bus, topic, [message(n)]);
    await eventually(() => expect(recorder.numbers).toEqual(range(1, 5)));
    await eventually(async () => expect(await rows(topic)).toEqual([]));
    await write(bus, topic, [message(6)]);
    await eventually(() => expect(recorder.numbers.at(-1)).toBe(6));
    expect(recorder.numbers).toEqual(range(1, 6));
  });

  it.each<[string, Times, number[]]>([
    ['the next one, and is handled with it', { wait: 600_000, pollEvery: 600_000 }, [1, 10]],
    ['a moment where no other one comes', {}, [1]],
  ])('waits for %s, where it can', async (_, times, numbers) => {
    const topic = newTopic('billing', ['g']);
    const batches: number[][] = [];
    const bus = await open([topic], [], times);
    const canWait = (payload: unknown) => (payload as TestPayload).n < 10;
    await bus.subscribe<TestPayload>(topic, { group: 'g', canWait }, async (batch) => {
      batches.push(batch.map(({ payload }) => payload.n));
    });
    await untilAlone(bus, topic);
    for (const n of numbers) await write(bus, topic, [message(n)]);
    await eventually(() => expect(batches).toEqual([numbers]));
  });

  it('is not handled again after a clean stop', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    await write(bus, topic, [message(1)]);
    await eventually(() => expect(recorder.numbers).toEqual([1]));
    await bus.close();
    const next = await alone(topic, recorder);
    await write(next, topic, [message(2)]);
    await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
  });

  it('is found in the table where the answer of its write was lost', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    await expect(write(bus, topic, [message(1)], { fails: true })).rejects.toThrow('lost');
    await eventually(() => expect(recorder.numbers).toEqual([1]));
  });

  it('is found in the table once it is due, where its process has lost it', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    await alone(topic, recorder);
    await insert(topic, [message(1)], 'later');
    await system.admin('UPDATE billing.message_queue SET due_at = now() WHERE topic = $1', [
      topic.name,
    ]);
    await eventually(() => expect(recorder.numbers).toEqual([1]));
  });

  it('is handled at once where its write knows nothing of the queue in the process', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await open([topic], [], { pollEvery: 600_000 });
    await bus.subscribe(topic, { group: 'g' }, recorder.handle);
    await untilAlone(bus, topic);
    // Until the bus listens, a notification is lost.
    let n = 0;
    await eventually(async () => {
      await insert(topic, [message((n += 1))], '');
      expect(recorder.numbers).not.toEqual([]);
    });
  });

  it('comes in the order in which the writes began, and behind rows that were due before', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    const [first, third] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = write(bus, topic, [message(1)], { after: first.promise });
    await write(bus, topic, [message(2)]);
    first.resolve();
    await slow;
    await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
    const lost = write(bus, topic, [message(3)], { after: third.promise, fails: true });
    await eventually(async () => expect(await rows(topic)).not.toEqual([]));
    await write(bus, topic, [message(4)]);
    third.resolve();
    await lost.catch(() => undefined);
    await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3, 4]));
  });

  it('is tried again after a failure, and becomes a dead letter', async () => {
    const topic = newTopic('billing', ['g']);
    const handled: number[] = [];
    const bus = await open([topic]);
    await bus.subscribe<{ n: number }>(topic, { group: 'g', attemptsMax: 2 }, async (batch) => {
      if (batch.some(({ payload }) => payload.n === 2)) throw new Error('poison');
      handled.push(...batch.map(({ payload }) => payload.n));
    });
    await untilAlone(bus, topic);
    await write(bus, topic, [message(1, 'a'), message(2, 'b'), message(3, 'c')]);
    await eventually(() => expect(handled.toSorted()).toEqual([1, 3]));
    await eventually(async () => {
      const letters = await bus.listDeadLetters(topic, 'g', 10);
      expect(letters.map(({ id }) => id)).toEqual(['message-2']);
    });
    await write(bus, topic, [message(4, 'b')]);
    await eventually(() => expect(handled.toSorted()).toEqual([1, 3, 4]));
  });

  it('stays in the table while there are more than fit into memory', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    const all = range(1, 2_500).map((n) => message(n, `key-${n % 7}`));
    await write(bus, topic, all);
    await eventually(() => expect(recorder.seen.length).toBe(2_500));
    expect(recorder.numbers).toEqual(range(1, 2_500));
  });

  it('is due at once as soon as there is a second bus', async () => {
    const topic = newTopic('billing', ['g']);
    const recorder = new Recorder();
    const bus = await alone(topic, recorder);
    await open([topic]);
    await eventually(async () => expect(await write(bus, topic, [])).toBe('now'));
    await write(bus, topic, [message(1)]);
    await eventually(() => expect(recorder.numbers).toEqual([1]));
  });
});

describe('a direct message', () => {
  async function direct(handle: Recorder['handle']) {
    const topic = newTopic('billing', ['g']);
    const bus = await open([topic], [topic], { direct: 60_000 });
    await bus.subscribe(topic, { group: 'g', attemptsMax: 3 }, handle);
    await untilAlone(bus, topic);
    return { topic, bus };
  }

  it('has been handled when it is published, and leaves no row', async () => {
    const recorder = new Recorder();
    const { topic, bus } = await direct(recorder.handle);
    await bus.publish(topic, [message(1), message(2)]);
    expect(recorder.numbers.slice(-2)).toEqual([1, 2]);
    expect(await rows(topic)).toEqual([]);
  });

  it('does not wait for another one that is being handled', async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const handled: number[] = [];
    const { topic, bus } = await direct(async (batch) => {
      const numbers = batch.map(({ payload }) => (payload as TestPayload).n);
      if (numbers.includes(1)) {
        begun.resolve();
        await ended.promise;
      }
      handled.push(...numbers);
    });
    const first = bus.publish(topic, [message(1)]);
    await begun.promise;
    await bus.publish(topic, [message(2)]);
    expect(handled).not.toContain(1);
    ended.resolve();
    await first;
    expect(handled.slice(-2)).toEqual([2, 1]);
  });

  it('gets a row where its reader fails, and is handled from there', async () => {
    const recorder = new Recorder();
    let isUnavailable = false;
    const { topic, bus } = await direct(async (batch) => {
      if (!isUnavailable) return recorder.handle(batch);
      isUnavailable = false;
      throw new Error('unavailable');
    });
    isUnavailable = true;
    await bus.publish(topic, [message(1)]);
    await eventually(() => expect(recorder.numbers.at(-1)).toBe(1));
    expect(recorder.numbers.filter((n) => n === 1)).toEqual([1]);
  });
});

describe('a topic', () => {
  it('is read where one of our services reads it, because other programs cannot', async () => {
    const [read, unread] = [
      newTopic('billing', ['g']),
      { ...newTopic('billing', ['g']), groups: [] },
    ];
    const bus = await open([read, unread]);
    const queue = bus.inProcessQueueOf(read.owner);
    expect([queue.isRead(read), queue.isRead(unread)]).toEqual([true, false]);
  });

  it('that nobody reads gets no rows', async () => {
    const unread = newTopic('billing', []);
    const bus = await open([unread]);
    await insert(unread, [message(1)], 'now');
    await bus.publish(unread, [message(2)]);
    expect(await rows(unread)).toEqual([]);
  });
});
