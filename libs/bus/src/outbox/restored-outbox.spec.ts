import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually } from '@watchword/testing';
import type { OutgoingMessage } from '../bus.port.js';
import { message, newTopic, range, Recorder } from '../contract/messages.kit.js';
import { busPlan, provisionBus } from '../postgres/bus.migration.js';
import { PostgresBus } from '../postgres/postgres-bus.adapter.js';
import { hasOutboxAhead } from './ahead-of-server.js';
import { OutboxRelay } from './outbox-relay.js';
import { createOutbox } from './outbox.migration.js';

const afterRestore = readFileSync(
  join(import.meta.dirname, '../../../../deploy/after-restore.sql'),
  'utf8',
);

class BillingOutbox1763500000003 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

let database: ClonedDatabase;
let topic: Topic;
let warnings: unknown[];
const logger = createLogger(
  { service: 'test', level: 'warn' },
  { write: (line: string) => void warnings.push(JSON.parse(line)) },
);

beforeEach(async () => {
  warnings = [];
  topic = newTopic('billing');
  const migrations = [BillingOutbox1763500000003];
  database = await cloneDatabase([{ schema: 'billing', migrations }, busPlan]);
  await provisionBus(database.adminUrl, [topic]);
});

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

/** Raises all ids, as if this server were a million transactions behind that of the dump. */
async function becomeYounger(): Promise<void> {
  for (const table of ['billing.outbox', 'billing.outbox_offsets', 'bus.offsets']) {
    await admin(`UPDATE ${table} SET xid = (xid::text::bigint + 1000000)::text::xid8`);
  }
}

const isAhead = () => hasOutboxAhead(database.adminUrl, [topic]);
const messages = (from: number, to: number) =>
  range(from, to).map((n) => message(n, `key-${n % 3}`));

/** A target that records what the relay publishes, and refuses it while it is away. */
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

function openRelay(target: Target): Promise<OutboxRelay> {
  const url = database.urlOf('billing');
  return OutboxRelay.open({ service: 'billing', url, topics: [topic], target, logger });
}

async function carryTenAndLeaveTen(): Promise<void> {
  const target = new Target();
  const relay = await openRelay(target);
  await relay.write(topic, messages(1, 10));
  await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
  target.isAway = true;
  for (const n of range(11, 20)) await relay.write(topic, messages(n, n));
  await relay.close();
  expect(target.taken).toEqual(idsOf(1, 10));
}

describe('the relay of an outbox that was restored on another server', () => {
  it('carries after deploy/after-restore.sql what waited and what is new, in order', async () => {
    await carryTenAndLeaveTen();
    expect(await isAhead()).toBe(false);
    await becomeYounger();
    expect(await isAhead()).toBe(true);
    for (let run = 0; run < 2; run += 1) {
      await admin(afterRestore);
      expect(await isAhead()).toBe(false);
    }
    const target = new Target();
    const relay = await openRelay(target);
    await relay.write(topic, messages(21, 25));
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)));
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    await relay.close();
  });

  it('loses no message of a transaction that was slower than those behind it', async () => {
    await carryTenAndLeaveTen();
    await admin(`INSERT INTO billing.outbox (position, topic, key, message_id, type, payload)
                 OVERRIDING SYSTEM VALUE VALUES (0, '${topic.name}', 'k', 'slow', 't', '{}')`);
    await becomeYounger();
    await admin(afterRestore);
    const target = new Target();
    const relay = await openRelay(target);
    await eventually(() => expect(target.taken).toEqual(['slow', ...idsOf(1, 20)]));
    await relay.close();
  });

  it('carries and deletes nothing before, and afterwards also what was written meanwhile', async () => {
    await carryTenAndLeaveTen();
    await becomeYounger();
    const early = new Target();
    const running = await openRelay(early);
    await running.write(topic, messages(21, 25));
    await eventually(() => {
      expect(JSON.stringify(warnings)).toContain('is ahead of all transactions');
    });
    await admin(`UPDATE billing.outbox SET occurred_at = now() - interval '2 hours'`);
    expect(await running.prune()).toBe(0);
    expect((await running.backlog()).waiting).toBe(15);
    await expect(admin(afterRestore)).rejects.toThrow('Stop every process of Watchword first.');
    await running.close();
    expect(early.taken).toEqual([]);

    await eventually(() => admin(afterRestore));
    const target = new Target();
    const relay = await openRelay(target);
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)));
    await relay.close();
  });

  it('follows no topic that holds a row ahead of the server, whatever its own offset', async () => {
    await admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('999999999', '${topic.name}', 'k', 'message-1', 't', '{}')`);
    expect(await isAhead()).toBe(true);
    const target = new Target();
    const relay = await openRelay(target);
    await eventually(() => expect(JSON.stringify(warnings)).toContain('cannot follow a log'));
    expect(target.taken).toEqual([]);
    await relay.close();
  });
});

describe('the embedded bus on an outbox that was restored on another server', () => {
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
    await becomeYounger();
    await eventually(() => admin(afterRestore));

    const bus = await open();
    const after = [new Recorder(), new Recorder()] as const;
    await bus.subscribe(topic, { group: 'one' }, after[0].handle);
    await bus.subscribe(topic, { group: 'two' }, after[1].handle);
    await bus.publish(topic, messages(21, 25));
    await eventually(() => expect(after[0].numbers).toEqual(range(16, 25)));
    await eventually(() => expect(after[1].numbers).toEqual(range(11, 25)));
    await bus.close();
  });

  it('deletes nothing while the offset of a group is ahead, and reports what waits', async () => {
    const bus = await open();
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
    await bus.close();
  });
});
