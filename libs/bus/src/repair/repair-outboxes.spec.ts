import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient, createPool } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually } from '@watchword/testing';
import { message, newTopic, range, Recorder } from '../contract/messages.kit.js';
import { busPlan, provisionBus } from '../postgres/bus.migration.js';
import type { OutgoingMessage } from '../bus.port.js';
import { createOutbox } from '../outbox/outbox.migration.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { PostgresBus } from '../postgres/postgres-bus.adapter.js';
import { RelayOffsetStore } from '../outbox/relay-offset.store.js';
import { outboxesAhead, repairOutboxes } from './repair-outboxes.js';

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

/** Lowers all ids, as if this server were a million transactions behind. */
async function moveToYoungerServer(): Promise<void> {
  for (const table of ['billing.outbox', 'billing.outbox_offsets', 'bus.offsets']) {
    await admin(`UPDATE ${table} SET xid = (xid::text::bigint + 1000000)::text::xid8`);
  }
}

const mend = () => repairOutboxes(database.adminUrl, [topic]);
const messages = (from: number, to: number) =>
  range(from, to).map((n) => message(n, `key-${n % 3}`));

/** A target that records what the relay publishes, and hangs while it is away. */
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
    expect(await outboxesAhead(database.adminUrl, [topic])).toEqual([{ outbox: 'billing' }]);
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
    expect(await outboxesAhead(database.adminUrl, [topic])).toEqual([]);
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
    expect(JSON.stringify(warnings)).toContain('is ahead of all transactions');
    const [mended] = await mend();
    expect(mended).toMatchObject({ messagesAhead: 20, waiting: 15 });
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)), 10_000);
    await running.close();
  });

  it('prunes nothing while the offset is ahead, and tells what waits', async () => {
    await carryTenAndLeaveTen();
    await moveToYoungerServer();
    const running = await open(new Target());
    await running.write(topic, messages(21, 25));
    await admin(`UPDATE billing.outbox SET occurred_at = now() - interval '2 hours'`);
    expect(await running.prune()).toBe(0);
    const { waiting, oldestSeconds } = await running.backlog();
    expect(waiting).toBe(15);
    expect(Math.round(oldestSeconds / 60)).toBe(120);
    await mend();
    await eventually(async () => expect((await running.backlog()).waiting).toBe(0), 10_000);
    expect(await running.prune()).toBe(25);
    await running.close();
  });

  it('loses nothing of a quiet topic, whose reader goes on running while a loud one is mended', async () => {
    const quiet = newTopic('billing');
    const topics = [topic, quiet];
    const url = database.urlOf('billing');
    const target = new Target();
    const relay = await OutboxRelay.open({ service: 'billing', url, topics, target, logger });
    for (const n of range(1, 3)) await relay.write(quiet, messages(n, n));
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    await admin(`INSERT INTO billing.outbox_offsets VALUES ('${topic.name}', '999999999', 0)
                 ON CONFLICT (topic) DO UPDATE SET xid = excluded.xid`);
    // Written after the restore, while ids were below the offset: passed by its id alone.
    await admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('2', '${quiet.name}', 'k', 'message-4', 't', '{}')`);
    await sleep(100);
    expect(target.taken).toEqual(idsOf(1, 3));
    // Its reader remembers a position from before.
    const [mended] = await repairOutboxes(database.adminUrl, topics);
    expect(mended).toMatchObject({ messages: 4, waiting: 1, offsetsAhead: 1, offsets: 2 });
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 4)));
    await relay.write(quiet, messages(5, 5));
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 5)));
    await relay.close();
  });

  it('touches no topic that is in order', async () => {
    const quiet = newTopic('billing');
    await admin(`INSERT INTO billing.outbox_offsets VALUES
                 ('${topic.name}', '999999999', 0), ('${quiet.name}', '7', 3)`);
    expect(await repairOutboxes(database.adminUrl, [topic, quiet])).toHaveLength(1);
    const rows = await admin(`SELECT xid, position FROM billing.outbox_offsets ORDER BY position`);
    expect(rows).toMatchObject([{ xid: '1' }, { xid: '7' }]);
  });

  it('follows no topic that holds a row ahead, at every offset', async () => {
    await admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('999999999', '${topic.name}', 'k', 'message-1', 't', '{}')`);
    const target = new Target();
    const relay = await open(target);
    await eventually(() => expect(JSON.stringify(warnings)).toContain('cannot follow a log'));
    await mend();
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 1)));
    await relay.close();
  });

  it('stores no position that a reader remembers of before', async () => {
    const url = database.urlOf('billing');
    const pool = createPool({
      url,
      max: 1,
      applicationName: 'reader',
      onIdleError: () => undefined,
    });
    const offsets = new RelayOffsetStore(pool, 'billing');
    const from = await offsets.load(topic);
    const at = { xid: '700', position: 70 };
    expect(await offsets.advance(topic, from, at)).toBe(true);
    await admin(`UPDATE billing.outbox_offsets SET xid = '1', position = 60`);
    expect(await offsets.advance(topic, at, { xid: '701', position: 71 })).toBe(false);
    expect(await offsets.load(topic)).toEqual({ xid: '1', position: 60 });
    await pool.end();
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

describe('a reader of the embedded bus that goes on running', () => {
  it('takes what waits, when the offset of another group was ahead', async () => {
    const bus = await PostgresBus.open({ url: database.urlOf('bus'), logger, topics: [topic] });
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'running' }, recorder.handle);
    await bus.publish(topic, messages(1, 3));
    await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
    await eventually(async () => expect((await bus.lag())[0]?.waiting).toBe(0));
    await admin(`INSERT INTO bus.offsets VALUES ('${topic.name}', 'other', '999999999', 3)`);
    const { key, id, type, payload } = message(4);
    await admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('2', '${topic.name}', '${key}', '${id}', '${type}', '${payload}')`);
    expect(await mend()).toMatchObject([{ messages: 4, waiting: 1, offsets: 2 }]);
    await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3, 4]));
    await bus.close();
  });
});

describe('the embedded bus while the offset of a group is ahead', () => {
  it('prunes nothing of the topic, and tells what waits', async () => {
    const bus = await PostgresBus.open({ url: database.urlOf('bus'), logger, topics: [topic] });
    await admin(`INSERT INTO bus.offsets VALUES
      ('${topic.name}', 'ahead', '999999999', 3), ('${topic.name}', 'behind', '0', 0)`);
    await bus.publish(topic, messages(1, 5));
    await admin(`UPDATE billing.outbox SET occurred_at = now() - interval '1 year'`);
    await admin(`UPDATE bus.offsets SET (xid, position) = (SELECT max(xid), max(position)
                 FROM billing.outbox) WHERE consumer_group = 'behind'`);
    expect(await bus.prune()).toBe(0);
    expect(await bus.lag()).toMatchObject([
      { group: 'ahead', waiting: 2 },
      { group: 'behind', waiting: 0 },
    ]);
    await admin(`DELETE FROM bus.offsets WHERE consumer_group = 'ahead'`);
    // A writer that runs on this server delays pruning.
    await eventually(async () => expect(await bus.prune()).toBe(5));
    await bus.close();
  });
});

describe('mending', () => {
  it('finds nothing where nothing was restored, also while others write', async () => {
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
