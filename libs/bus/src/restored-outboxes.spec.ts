import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually } from '@watchword/testing';
import { message, newTopic, range, Recorder } from './contract/messages.kit.js';
import { busPlan, provisionBus } from './bus.migration.js';
import type { OutgoingMessage } from './bus.port.js';
import { createOutbox } from './outbox.migration.js';
import { OutboxRelay } from './outbox-relay.js';
import { PostgresBus } from './postgres-bus.adapter.js';
import { mendRestoredOutboxes } from './restored-outboxes.js';

class BillingOutbox1763500000003 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

const warnings: Record<string, unknown>[] = [];
const logger = createLogger(
  { service: 'test', level: 'warn' },
  { write: (line: string) => void warnings.push(JSON.parse(line)) },
);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let database: ClonedDatabase;
let topic: Topic;

beforeEach(async () => {
  warnings.length = 0;
  const migrations = [BillingOutbox1763500000003];
  database = await cloneDatabase([{ schema: 'billing', migrations }, busPlan]);
  topic = newTopic('billing');
  await provisionBus(database.adminUrl, [topic]);
}, 60_000);

afterEach(() => database?.drop());

async function admin(text: string) {
  const client = createClient({ url: database.adminUrl, applicationName: 'admin' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** As if this were another server, whose transactions are a million behind. */
async function moveToYoungerServer(): Promise<void> {
  for (const table of ['billing.outbox', 'billing.outbox_offsets', 'bus.offsets']) {
    await admin(`UPDATE ${table} SET xid = (xid::text::bigint + 1000000)::text::xid8`);
  }
}

const mend = () => mendRestoredOutboxes(database.adminUrl, [topic]);
const messages = (from: number, to: number) =>
  range(from, to).map((n) => message(n, `key-${n % 3}`));

/** What the relay has carried; hangs while it is away. */
class Target {
  isAway = false;
  readonly taken: string[] = [];

  async publish(_: Topic, batch: readonly OutgoingMessage[]): Promise<void> {
    if (this.isAway) throw new Error('away');
    this.taken.push(...batch.map(({ id }) => id));
  }

  async refuse(): Promise<void> {}

  isRefusal(): boolean {
    return false;
  }
}

const idsOf = (from: number, to: number) => range(from, to).map((n) => `message-${n}`);

describe('the relay on a server that the outbox was restored into', () => {
  const open = (target: Target) => {
    const url = database.urlOf('billing');
    return OutboxRelay.open({ service: 'billing', url, topics: [topic], target, logger });
  };

  async function carryTenAndLeaveTen(): Promise<void> {
    const target = new Target();
    const relay = await open(target);
    await relay.write(topic, messages(1, 10));
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    target.isAway = true;
    for (const n of range(11, 20)) await relay.write(topic, messages(n, n));
    await relay.close();
    expect(target.taken).toEqual(idsOf(1, 10));
  }

  it('carries what waits and what is new, in order, and nothing twice', async () => {
    await carryTenAndLeaveTen();
    await moveToYoungerServer();
    expect(await mend()).toEqual([
      {
        outbox: 'billing',
        messagesAhead: 20,
        offsetsAhead: 1,
        messages: 20,
        waiting: 10,
        offsets: 1,
      },
    ]);
    const target = new Target();
    const relay = await open(target);
    await relay.write(topic, messages(21, 25));
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)));
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    await relay.close();
    expect(await mend()).toEqual([]);
  });

  it('carries what was written before this was mended, and needs no other start for it', async () => {
    await carryTenAndLeaveTen();
    await moveToYoungerServer();
    warnings.length = 0;
    const target = new Target();
    const running = await open(target);
    await running.write(topic, messages(21, 25));
    await sleep(300);
    expect(target.taken).toEqual([]);
    expect(JSON.stringify(warnings)).toContain('the offset is ahead of all transactions');
    const [mended] = await mend();
    expect(mended).toMatchObject({ messagesAhead: 20, waiting: 15 });
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)), 10_000);
    await running.close();
  });

  it('carries on where all was carried, also what a transaction writes that runs meanwhile', async () => {
    const first = await open(new Target());
    await first.write(topic, messages(1, 10));
    await eventually(async () => expect((await first.backlog()).waiting).toBe(0));
    await first.close();
    await admin('DELETE FROM billing.outbox');
    await moveToYoungerServer();
    const url = database.urlOf('billing');
    const writer = createClient({ url, applicationName: 'writer', schema: 'billing' });
    await writer.connect();
    await writer.query('BEGIN; SELECT pg_current_xact_id()');
    expect(await mend()).toMatchObject([{ messages: 0, waiting: 0, offsetsAhead: 1, offsets: 1 }]);
    const target = new Target();
    const relay = await open(target);
    const { key, id, type, payload } = message(11);
    await writer.query(
      'INSERT INTO outbox (topic, key, message_id, type, payload) VALUES ($1, $2, $3, $4, $5)',
      [topic.name, key, id, type, payload],
    );
    await writer.query('COMMIT');
    await writer.end();
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 11)));
    await relay.close();
  });
});

describe('the embedded bus on a server that the outbox was restored into', () => {
  const open = () => PostgresBus.open({ url: database.urlOf('bus'), logger, topics: [topic] });

  it('gives each group what waits for it and what is new, in order, and nothing twice', async () => {
    const first = await open();
    const before = [new Recorder(), new Recorder()] as const;
    const one = await first.subscribe(topic, { group: 'one' }, before[0].handle);
    const two = await first.subscribe(topic, { group: 'two' }, before[1].handle);
    await first.publish(topic, messages(1, 10));
    await eventually(() => expect(before[0].numbers).toEqual(range(1, 10)));
    await eventually(() => expect(before[1].numbers).toEqual(range(1, 10)));
    await two.close();
    await first.publish(topic, messages(11, 15));
    await eventually(() => expect(before[0].numbers).toEqual(range(1, 15)));
    await one.close();
    for (const n of range(16, 20)) await first.publish(topic, messages(n, n));
    await first.close();
    await moveToYoungerServer();
    expect(await mend()).toMatchObject([{ messages: 20, waiting: 10, offsets: 2 }]);

    const bus = await open();
    const after = [new Recorder(), new Recorder()] as const;
    await bus.subscribe(topic, { group: 'one' }, after[0].handle);
    await bus.subscribe(topic, { group: 'two' }, after[1].handle);
    await bus.publish(topic, messages(21, 25));
    await eventually(() => expect(after[0].numbers).toEqual(range(16, 25)));
    await eventually(() => expect(after[1].numbers).toEqual(range(11, 25)));
    await eventually(async () => {
      expect((await bus.lag()).map(({ waiting }) => waiting)).toEqual([0, 0]);
    });
    await bus.close();
  });
});

describe('mending', () => {
  it('finds nothing where nothing was restored, whoever writes', async () => {
    const relay = await OutboxRelay.open({
      service: 'billing',
      url: database.urlOf('billing'),
      topics: [topic],
      target: new Target(),
      logger,
    });
    const found = [];
    for (const n of range(1, 20)) {
      const [, outcome] = await Promise.all([relay.write(topic, messages(n, n)), mend()]);
      found.push(...outcome);
    }
    await relay.close();
    expect(found).toEqual([]);
  });

  it('is done by one of the processes that start at once, and waits for who is writing', async () => {
    await admin(`INSERT INTO billing.outbox_offsets VALUES ('${topic.name}', '999999999', 0)`);
    const writer = createClient({ url: database.urlOf('billing'), applicationName: 'writer' });
    await writer.connect();
    await writer.query(
      `BEGIN; INSERT INTO billing.outbox (topic, key, message_id, type, payload)
              VALUES ('${topic.name}', 'k', 'm', 't', '{}')`,
    );
    let isDone = false;
    const mending = Promise.all([mend(), mend(), mend()]).finally(() => (isDone = true));
    await sleep(300);
    expect(isDone).toBe(false);
    await writer.query('COMMIT');
    await writer.end();
    const outcomes = (await mending).flat();
    expect(outcomes).toMatchObject([{ messages: 1, waiting: 1, offsetsAhead: 1, offsets: 1 }]);
    expect(await admin('SELECT xid, position FROM billing.outbox')).toMatchObject([{ xid: '1' }]);
  });
});
