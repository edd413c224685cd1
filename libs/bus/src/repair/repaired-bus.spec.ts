import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { message, range, Recorder } from '../contract/messages.kit.js';
import { PostgresBus } from '../postgres/postgres-bus.adapter.js';
import { messages, RestoredServer } from './restored-server.kit.js';

let server: RestoredServer;
let topic: Topic;

beforeEach(async () => {
  server = await RestoredServer.open();
  ({ topic } = server);
});

afterEach(() => server?.database.drop());

const open = () => {
  const { database, logger } = server;
  return PostgresBus.open({ url: database.urlOf('bus'), logger, topics: [topic] });
};

describe('the embedded bus on a server that the outbox was restored into', () => {
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
    await server.becomeYounger();
    expect(await server.repair()).toMatchObject([{ messages: 20, waiting: 10, offsets: 2 }]);

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
    const bus = await open();
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'running' }, recorder.handle);
    await bus.publish(topic, messages(1, 3));
    await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
    await eventually(async () => expect((await bus.lag())[0]?.waiting).toBe(0));
    await server.admin(`INSERT INTO bus.offsets VALUES ('${topic.name}', 'other', '999999999', 3)`);
    const { key, id, type, payload } = message(4);
    await server.admin(`INSERT INTO billing.outbox (xid, topic, key, message_id, type, payload)
                 VALUES ('2', '${topic.name}', '${key}', '${id}', '${type}', '${payload}')`);
    expect(await server.repair()).toMatchObject([{ messages: 4, waiting: 1, offsets: 2 }]);
    await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3, 4]));
    await bus.close();
  });
});

describe('the embedded bus while the offset of a group is ahead', () => {
  it('prunes nothing of the topic, and reports what waits', async () => {
    const bus = await open();
    await server.admin(`INSERT INTO bus.offsets VALUES
      ('${topic.name}', 'ahead', '999999999', 3), ('${topic.name}', 'behind', '0', 0)`);
    await bus.publish(topic, messages(1, 5));
    await server.admin(`UPDATE billing.outbox SET occurred_at = now() - interval '1 year'`);
    await server.admin(`UPDATE bus.offsets SET (xid, position) = (SELECT max(xid), max(position)
                 FROM billing.outbox) WHERE consumer_group = 'behind'`);
    expect(await bus.prune()).toBe(0);
    expect(await bus.lag()).toMatchObject([
      { group: 'ahead', waiting: 2 },
      { group: 'behind', waiting: 0 },
    ]);
    await server.admin(`DELETE FROM bus.offsets WHERE consumer_group = 'ahead'`);
    // A writer that runs on this server delays pruning.
    await eventually(async () => expect(await bus.prune()).toBe(5));
    await bus.close();
  });
});
