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
  BillingQueue1763500000000,
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
        plans: [{ schema: 'billing', migrations: [BillingQueue1763500000000] }, busPlan],
      });
      const topic = newTopic();
      await provisionBus(server.url, [topic]);
      const url = urlFor(server.url, roleOf('bus'), 'test');
      const bus = await PostgresBus.open({ url, logger, topics: [topic] });
      const recorder = new Recorder();
      await bus.subscribe(topic, { group: 'test.group', batchSizeMax: 5 }, recorder.handle);
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
      await eventually(() => bus.check());
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
    const subscription = await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
    await bus.publish(
      topic,
      range(1, 3).map((n) => message(n)),
    );
    await eventually(async () => {
      expect(await bus.lag()).toEqual([
        { topic: topic.name, group: 'test.group', waiting: 0, oldestSeconds: 0 },
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

  it('delivers a published message without waiting for the next poll', async () => {
    const topic = newTopic();
    const bus = await system.open([topic], { pollEvery: 600_000 });
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
    for (const n of range(1, 21)) {
      await bus.publish(topic, [message(n)]);
      await eventually(() => expect(recorder.seen).toHaveLength(n));
    }
    await bus.close();
  });

  it('passes by a key of which another process has an earlier message in hand', async () => {
    const topic = newTopic();
    const other = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
    await system.admin(`INSERT INTO bus.processes VALUES ('${other}', now() + interval '1 hour')`);
    const bus = await system.open([topic]);
    await bus.publish(topic, [message(1, 'a'), message(2, 'a'), message(3, 'b')]);
    await system.admin(
      `UPDATE billing.message_queue SET due_at = now() + interval '1 hour'
        WHERE topic = $1 AND message_id = 'message-1'`,
      [topic.name],
    );
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'test.group' }, recorder.handle);
    await eventually(() => expect(recorder.numbers).toEqual([3]));
    await system.admin('UPDATE billing.message_queue SET due_at = now() WHERE topic = $1', [
      topic.name,
    ]);
    await eventually(() => expect(recorder.numbers).toEqual([3, 1, 2]));
    await system.admin(`DELETE FROM bus.processes WHERE id = '${other}'`);
    await bus.close();
  });

  it('gives what waits for a former reader to the readers of today, each message once', async () => {
    const before = newTopic('billing', ['queue-relay']);
    const bus = await system.open([before]);
    await bus.publish(before, [message(1), message(2)]);
    await bus.close();
    const topic = { ...before, groups: ['a', 'b'] };
    const next = await system.open([topic]);
    for (const group of topic.groups) {
      const recorder = new Recorder();
      await next.subscribe(topic, { group }, recorder.handle);
      await eventually(() => expect(recorder.numbers).toEqual([1, 2]));
    }
    await next.close();
  });

  it('lets the services write their own queue only', async () => {
    const topic = newTopic('billing');
    const url = system.database.urlOf('gateway');
    const client = createClient({ url, applicationName: 'gateway', schema: 'gateway' });
    await client.connect();
    await expect(client.query('SELECT FROM billing.message_queue')).rejects.toThrow(
      'permission denied',
    );
    await expect(client.query('SELECT FROM bus.processes')).rejects.toThrow('permission denied');
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
