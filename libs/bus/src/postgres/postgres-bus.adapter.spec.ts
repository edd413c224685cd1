import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, migrate, roleOf, startEmbeddedPostgres, urlFor } from '@watchword/postgres';
import { eventually } from '@watchword/testing';
import { describeBusContract } from '../contract/bus-contract.kit.js';
import { message, newTopic, range, Recorder } from '../contract/messages.kit.js';
import { busPlan, provisionBus } from './bus.migration.js';
import {
  BillingOutbox1763500000000,
  logger,
  PostgresSystem,
} from '../contract/postgres-system.kit.js';
import { PostgresBus } from './postgres-bus.adapter.js';

describeBusContract('on the embedded PostgreSQL', () => PostgresSystem.start());

describe('the bus on a PostgreSQL that dies', () => {
  it('loses nothing it took, and goes on by itself', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-bus-'));
    const server = await startEmbeddedPostgres({ directory });
    try {
      await migrate({
        adminUrl: server.url,
        passwords: { billing: 'test', bus: 'test' },
        plans: [{ schema: 'billing', migrations: [BillingOutbox1763500000000] }, busPlan],
      });
      const topic = newTopic();
      await provisionBus(server.url, [topic]);
      const url = urlFor(server.url, roleOf('bus'), 'test');
      const bus = await PostgresBus.open({ url, logger, topics: [topic] });
      const recorder = new Recorder();
      await bus.subscribe(topic, { group: 'g', batchSizeMax: 5 }, recorder.handle);
      const taken: number[] = [];
      let killed = 0;
      for (const n of range(1, 150)) {
        await bus.publish(topic, [message(n)]).then(
          () => taken.push(n),
          () => sleep(20),
        );
        if (n === 50) killed = server.pid;
        if (n === 50) process.kill(server.pid, 'SIGKILL');
      }
      await eventually(() => expect(server.pid).not.toBe(killed));
      await eventually(() => bus.publish(topic, [message(151)]));
      await eventually(() => bus.look());
      const expected = new Set([...taken, 151]);
      await eventually(() => {
        const seen = new Set(recorder.numbers);
        expect([...expected].filter((n) => !seen.has(n))).toEqual([]);
      });
      expect(taken.length).toBeGreaterThanOrEqual(50);
      await bus.close();
    } finally {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});

describe('the bus on PostgreSQL', () => {
  let system: PostgresSystem;

  beforeAll(async () => {
    system = await PostgresSystem.start();
  });

  afterAll(async () => {
    await system?.stop();
  });

  it('returns how far each group is behind', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const recorder = new Recorder();
    const subscription = await bus.subscribe(topic, { group: 'one' }, recorder.handle);
    await bus.publish(
      topic,
      range(1, 3).map((n) => message(n)),
    );
    await eventually(async () => {
      expect(await bus.lag()).toEqual([
        { topic: topic.name, group: 'one', waiting: 0, oldestSeconds: 0 },
      ]);
    });
    await subscription.close();
    const time = new Date(Date.now() - 60_000).toISOString();
    await bus.publish(topic, [{ ...message(4), time }, message(5)]);
    const [reading] = await bus.lag();
    expect(reading?.waiting).toBe(2);
    expect(reading?.oldestSeconds).toBeGreaterThanOrEqual(60);
    expect(reading?.oldestSeconds).toBeLessThan(3_600);
    await bus.close();
  });

  it('prunes what all groups have passed and what is old enough, and nothing else', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const old = new Date(Date.now() - 2 * 3_600_000).toISOString();
    const recorders = [new Recorder(), new Recorder()];
    const [, slow] = await Promise.all(
      recorders.map(({ handle }, index) => bus.subscribe(topic, { group: `g${index}` }, handle)),
    );
    await bus.publish(
      topic,
      range(1, 3).map((n) => ({ ...message(n), time: old })),
    );
    for (const recorder of recorders) {
      await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
    }
    await slow?.close();
    await bus.publish(topic, [{ ...message(4), time: old }, message(5)]);
    await eventually(() => expect(recorders[0]?.numbers).toEqual([1, 2, 3, 4, 5]));
    await eventually(async () => expect(await bus.prune()).toBe(3));
    const rest = await system.admin(
      'SELECT message_id FROM billing.outbox WHERE topic = $1 ORDER BY position',
      [topic.name],
    );
    expect(rest).toEqual([{ message_id: 'message-4' }, { message_id: 'message-5' }]);
    const again = await bus.subscribe(topic, { group: 'g1' }, recorders[1]!.handle);
    await eventually(() => expect(recorders[1]?.numbers).toEqual([1, 2, 3, 4, 5]));
    await eventually(async () => expect(await bus.prune()).toBe(1));
    await again.close();
    await bus.close();
  });

  it('hands over without waiting for the next look by itself', async () => {
    const topic = newTopic();
    const bus = await system.open([topic], { sweepEvery: 600_000 });
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'g' }, recorder.handle);
    for (const n of range(1, 21)) {
      await bus.publish(topic, [message(n)]);
      await eventually(() => expect(recorder.seen).toHaveLength(n));
    }
    await bus.close();
  });

  it('notices by itself when the transaction that held messages back has ended', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'g' }, recorder.handle);
    const url = system.database.urlOf('gateway');
    const bystander = createClient({ url, applicationName: 'bystander' });
    await bystander.connect();
    await bystander.query('BEGIN; SELECT pg_current_xact_id()');
    await bus.publish(topic, [message(1)]);
    await eventually(async () => expect(await bus.lag()).toMatchObject([{ waiting: 1 }]));
    expect(recorder.numbers).toEqual([]);
    await bystander.query('COMMIT');
    await bystander.end();
    await eventually(() => expect(recorder.numbers).toEqual([1]));
    await bus.close();
  });

  it('reads along the primary key, also when it is far from the beginning', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    for (const part of range(0, 9)) {
      await bus.publish(
        topic,
        range(1, 1_000).map((n) => message(part * 1_000 + n)),
      );
    }
    await system.admin('ANALYZE billing.outbox');
    const [last] = await system.admin(
      'SELECT xid, position FROM billing.outbox WHERE topic = $1 ORDER BY position DESC LIMIT 1',
      [topic.name],
    );
    const plan = await system.admin(
      `EXPLAIN (FORMAT JSON)
       SELECT payload FROM billing.outbox
        WHERE topic = '${topic.name}' AND (xid, position) > ('${last.xid}'::xid8, 0)
        ORDER BY xid, position LIMIT 500`,
    );
    const text = JSON.stringify(plan);
    expect(text).toContain('outbox_pkey');
    expect(text).not.toContain('Sort');
    expect(text).not.toContain('"Filter"');
    await bus.close();
  });

  it('lets the services write their own outbox only', async () => {
    const topic = newTopic('billing');
    const url = system.database.urlOf('gateway');
    const client = createClient({ url, applicationName: 'gateway', schema: 'gateway' });
    await client.connect();
    await expect(client.query('SELECT FROM billing.outbox')).rejects.toThrow('permission denied');
    await expect(client.query('SELECT FROM bus.dead_letters')).rejects.toThrow('permission denied');
    await client.end();
    expect(topic.owner).toBe('billing');
  });

  it('refuses topics it does not know and work after its end', async () => {
    const bus = await system.open([newTopic()]);
    await expect(bus.publish(newTopic(), [message(1)])).rejects.toThrow('not a topic of this bus');
    await bus.close();
    await expect(bus.publish(newTopic(), [message(1)])).rejects.toThrow('the bus is closed');
  });
});
