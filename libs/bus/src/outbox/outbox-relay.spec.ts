import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { eventually, type ClonedDatabase, cloneDatabase, Way } from '@watchword/testing';
import { message, newTopic, range } from '../contract/messages.kit.js';
import { type OutgoingMessage, TransientError } from '../bus.port.js';
import { createOutbox } from './outbox.migration.js';
import { OutboxRelay } from './outbox-relay.js';

class BillingOutbox1763500000002 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

const logger = createLogger({ service: 'test', level: 'silent' });

let database: ClonedDatabase;

beforeAll(async () => {
  database = await cloneDatabase([{ schema: 'billing', migrations: [BillingOutbox1763500000002] }]);
});

afterAll(() => database?.drop());

/** A Kafka that takes nothing while it is away. */
class ScriptedKafka {
  isAway = false;
  readonly taken: string[] = [];

  async publish(_: Topic, messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.isAway) throw new TransientError('away');
    this.taken.push(...messages.map(({ id }) => id));
  }

  async refuse(): Promise<void> {}

  isRefusal(): boolean {
    return false;
  }
}

let relays: OutboxRelay[] = [];

async function openRelay(
  topics: readonly Topic[],
  target: ScriptedKafka,
  url = database.urlOf('billing'),
): Promise<OutboxRelay> {
  const relay = await OutboxRelay.open({ service: 'billing', url, topics, target, logger });
  relays.push(relay);
  return relay;
}

afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  relays = [];
});

const ofMinutesAgo = (n: number, minutes: number): OutgoingMessage => ({
  ...message(n),
  time: new Date(Date.now() - minutes * 60_000).toISOString(),
});

describe('a message that Kafka refuses', () => {
  it('is set aside once and logged, although Kafka goes away behind it', async () => {
    const errors: Record<string, unknown>[] = [];
    const topic = newTopic('billing');
    const calls: string[] = [];
    let awayFor = 3;
    const relay = await OutboxRelay.open({
      service: 'billing',
      url: database.urlOf('billing'),
      topics: [topic],
      logger: createLogger(
        { service: 'test', level: 'error' },
        { write: (line: string) => void errors.push(JSON.parse(line)) },
      ),
      target: {
        publish: async (_, batch) => {
          const ids = batch.map(({ id }) => id);
          if (ids.includes('message-2')) throw new RangeError('too large');
          if (ids.includes('message-3') && awayFor-- > 0) throw new TransientError('away');
          calls.push(`publish ${ids}`);
        },
        refuse: async (_, { id }, __, reason) => void calls.push(`refuse ${id}: ${reason}`),
        isRefusal: (error) => error instanceof RangeError,
      },
    });
    relays.push(relay);
    await relay.write(
      topic,
      range(1, 4).map((n) => message(n)),
    );
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    expect(calls).toEqual([
      'publish message-1',
      'refuse message-2: too large',
      'publish message-3',
      'publish message-4',
    ]);
    expect(errors).toMatchObject([
      { topic: topic.name, group: 'outbox-relay', messageId: 'message-2', reason: 'too large' },
    ]);
  });
});

describe('a relay whose PostgreSQL host vanishes without closing its connections', () => {
  it('goes on with the host that took over, within half a minute', async () => {
    const topic = newTopic('billing');
    const kafka = new ScriptedKafka();
    const way = await Way.to(database.adminUrl);
    const relay = await openRelay([topic], kafka, way.url(database.urlOf('billing')));
    await relay.write(topic, [message(1)]);
    await eventually(() => expect(kafka.taken).toHaveLength(1));

    way.strand();
    const admin = createClient({ url: database.adminUrl, applicationName: 'spec' });
    await admin.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await admin.end();
    const other = await openRelay([newTopic('billing')], kafka);
    await other.write(topic, [message(2)]);
    await eventually(() => expect(kafka.taken).toContain('message-2'));
    await way.cut();
  });
});

describe('what waits in the outbox', () => {
  it('is what Kafka has not taken, of all topics of the service, and the age of the oldest', async () => {
    const topics = [newTopic('billing'), newTopic('billing')];
    const [first, second] = topics as [Topic, Topic];
    const kafka = new ScriptedKafka();
    const relay = await openRelay(topics, kafka);
    expect(await relay.backlog()).toEqual({ service: 'billing', waiting: 0, oldestSeconds: 0 });

    kafka.isAway = true;
    await relay.write(first, [ofMinutesAgo(1, 1), ofMinutesAgo(2, 10), ofMinutesAgo(3, 2)]);
    await relay.write(second, [ofMinutesAgo(4, 5)]);
    const { waiting, oldestSeconds } = await relay.backlog();
    expect(waiting).toBe(4);
    expect(Math.floor(oldestSeconds / 60)).toBe(10);
    // The replica that does not relay them reports the same.
    expect((await (await openRelay(topics, kafka)).backlog()).waiting).toBe(4);

    kafka.isAway = false;
    await eventually(async () => {
      expect(await relay.backlog()).toEqual({ service: 'billing', waiting: 0, oldestSeconds: 0 });
    });
    expect(kafka.taken).toHaveLength(4);
  });

  it('is counted no further than matters', async () => {
    const topic = newTopic('billing');
    const kafka = new ScriptedKafka();
    kafka.isAway = true;
    const relay = await openRelay([topic], kafka);
    for (const batch of range(0, 11)) {
      await relay.write(
        topic,
        range(1, 1_000).map((n) => message(1_000 * batch + n)),
      );
    }
    expect((await relay.backlog()).waiting).toBe(10_000);
  });
});
