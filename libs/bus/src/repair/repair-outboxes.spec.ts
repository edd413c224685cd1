import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { createClient, createPool } from '@watchword/postgres';
import { eventually, waitUntil } from '@watchword/testing';
import { message, newTopic, range } from '../contract/messages.kit.js';
import type { OutgoingMessage } from '../bus.port.js';
import { OutboxRelay } from '../outbox/outbox-relay.js';
import { RelayOffsetStore } from '../outbox/relay-offset.store.js';
import { outboxesAhead } from './repair-outboxes.js';
import { messages, RestoredServer } from './restored-server.kit.js';

let server: RestoredServer;
let topic: Topic;
let logger: Logger;
let warnings: unknown[];

beforeEach(async () => {
  server = await RestoredServer.open();
  ({ topic, logger, warnings } = server);
});

afterEach(() => server?.database.drop());

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
    const url = server.database.urlOf('billing');
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
    await server.becomeYounger();
    expect(await outboxesAhead(server.database.adminUrl, [topic])).toEqual([{ outbox: 'billing' }]);
    expect(await server.repair()).toEqual([
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
    expect(await server.repair()).toEqual([]);
    expect(await outboxesAhead(server.database.adminUrl, [topic])).toEqual([]);
  });

  it('carries what was written before this was mended, and needs no other start for it', async () => {
    await carryTenAndLeaveTen();
    await server.becomeYounger();
    warnings.length = 0;
    const target = new Target();
    const running = await open(target);
    await running.write(topic, messages(21, 25));
    await eventually(() => {
      expect(JSON.stringify(warnings)).toContain('is ahead of all transactions');
    });
    expect(target.taken).toEqual([]);
    const [mended] = await server.repair();
    expect(mended).toMatchObject({ messagesAhead: 20, waiting: 15 });
    await eventually(() => expect(target.taken).toEqual(idsOf(11, 25)));
    await running.close();
  });

  it('prunes nothing while the offset is ahead, and reports what waits', async () => {
    await carryTenAndLeaveTen();
    await server.becomeYounger();
    const running = await open(new Target());
    await running.write(topic, messages(21, 25));
    await server.admin(`UPDATE billing.outbox SET occurred_at = now() - interval '2 hours'`);
    expect(await running.prune()).toBe(0);
    const { waiting, oldestSeconds } = await running.backlog();
    expect(waiting).toBe(15);
    expect(Math.round(oldestSeconds / 60)).toBe(120);
    await server.repair();
    await eventually(async () => expect((await running.backlog()).waiting).toBe(0));
    expect(await running.prune()).toBe(25);
    await running.close();
  });

  it('loses nothing of a quiet topic, whose reader goes on running while a loud one is mended', async () => {
    const quiet = newTopic('billing');
    const topics = [topic, quiet];
    const url = server.database.urlOf('billing');
    const target = new Target();
    const relay = await OutboxRelay.open({ service: 'billing', url, topics, target, logger });
    for (const n of range(1, 3)) await relay.write(quiet, messages(n, n));
    await eventually(async () => expect((await relay.backlog()).waiting).toBe(0));
    await server.admin(`INSERT INTO billing.outbox_offsets VALUES ('${topic.name}', '999999999', 0)
                 ON CONFLICT (topic) DO UPDATE SET xid = excluded.xid`);
    // Written after the restore, while ids were below the offset: passed by its id alone.
    await server.admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('2', '${quiet.name}', 'k', 'message-4', 't', '{}')`);
    expect(target.taken).toEqual(idsOf(1, 3));
    // Its reader remembers a position from before.
    const [mended] = await server.repair(topics);
    expect(mended).toMatchObject({ messages: 4, waiting: 1, offsetsAhead: 1, offsets: 2 });
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 4)));
    await relay.write(quiet, messages(5, 5));
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 5)));
    await relay.close();
  });

  it('touches no topic that is in order', async () => {
    const quiet = newTopic('billing');
    await server.admin(`INSERT INTO billing.outbox_offsets VALUES
                 ('${topic.name}', '999999999', 0), ('${quiet.name}', '7', 3)`);
    expect(await server.repair([topic, quiet])).toHaveLength(1);
    const rows = await server.admin(
      `SELECT xid, position FROM billing.outbox_offsets ORDER BY position`,
    );
    expect(rows).toMatchObject([{ xid: '1' }, { xid: '7' }]);
  });

  it('follows no topic that holds a row ahead, at every offset', async () => {
    await server.admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('999999999', '${topic.name}', 'k', 'message-1', 't', '{}')`);
    const target = new Target();
    const relay = await open(target);
    await eventually(() => expect(JSON.stringify(warnings)).toContain('cannot follow a log'));
    await server.repair();
    await eventually(() => expect(target.taken).toEqual(idsOf(1, 1)));
    await relay.close();
  });

  it('stores no position that a reader remembers of before', async () => {
    const url = server.database.urlOf('billing');
    const pool = createPool({
      url,
      max: 1,
      applicationName: 'reader',
    });
    const offsets = new RelayOffsetStore(pool, 'billing');
    const from = await offsets.load(topic);
    const at = { xid: '700', position: 70 };
    expect(await offsets.advance(topic, from, at)).toBe(true);
    await server.admin(`UPDATE billing.outbox_offsets SET xid = '1', position = 60`);
    expect(await offsets.advance(topic, at, { xid: '701', position: 71 })).toBe(false);
    expect(await offsets.load(topic)).toEqual({ xid: '1', position: 60 });
    await pool.end();
  });

  it('carries on where all was carried, also what a transaction writes that runs meanwhile', async () => {
    const first = await open(new Target());
    await first.write(topic, messages(1, 10));
    await eventually(async () => expect((await first.backlog()).waiting).toBe(0));
    await first.close();
    await server.admin('DELETE FROM billing.outbox');
    await server.becomeYounger();
    const url = server.database.urlOf('billing');
    const writer = createClient({ url, applicationName: 'writer', schema: 'billing' });
    await writer.connect();
    await writer.query('BEGIN; SELECT pg_current_xact_id()');
    expect(await server.repair()).toMatchObject([
      { messages: 0, waiting: 0, offsetsAhead: 1, offsets: 1 },
    ]);
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

describe('mending', () => {
  it('finds nothing where nothing was restored, also while others write', async () => {
    const relay = await OutboxRelay.open({
      service: 'billing',
      url: server.database.urlOf('billing'),
      topics: [topic],
      target: new Target(),
      logger,
    });
    const found = [];
    for (const n of range(1, 20)) {
      const [, outcome] = await Promise.all([relay.write(topic, messages(n, n)), server.repair()]);
      found.push(...outcome);
    }
    await relay.close();
    expect(found).toEqual([]);
  });

  it('is done by one of the processes that start together, and waits for writers', async () => {
    await server.admin(
      `INSERT INTO billing.outbox_offsets VALUES ('${topic.name}', '999999999', 0)`,
    );
    const writer = createClient({
      url: server.database.urlOf('billing'),
      applicationName: 'writer',
    });
    await writer.connect();
    await writer.query(
      `BEGIN; INSERT INTO billing.outbox (topic, key, message_id, type, payload)
              VALUES ('${topic.name}', 'k', 'm', 't', '{}')`,
    );
    let isDone = false;
    const mending = Promise.all([server.repair(), server.repair(), server.repair()]).finally(
      () => (isDone = true),
    );
    await waitUntil('a repair that waits for the writer', async () => {
      const waiting = await server.admin(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    expect(isDone).toBe(false);
    await writer.query('COMMIT');
    await writer.end();
    const outcomes = (await mending).flat();
    expect(outcomes).toMatchObject([{ messages: 1, waiting: 1, offsetsAhead: 1, offsets: 1 }]);
    expect(await server.admin('SELECT xid, position FROM billing.outbox')).toMatchObject([
      { xid: '1' },
    ]);
  });
});
