import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool, type DatabasePool } from '@watchword/postgres';
import { newTopic } from '../contract/messages.kit.js';
import { PostgresSystem } from '../contract/postgres-system.kit.js';
import { DeadLetterStore } from './dead-letter.store.js';

const GROUP = 'test.group';
let system: PostgresSystem;
let database: DatabasePool;
let letters: DeadLetterStore;
beforeAll(async () => {
  system = await PostgresSystem.start();
  const url = system.database.urlOf('bus');
  database = createPool({ url, applicationName: 'letters', max: 1 });
  letters = new DeadLetterStore(database);
});
afterAll(async () => {
  await database.end();
  await system.stop();
});

it('keeps a letter that failed again, also when its next replay is asked before this one ends', async () => {
  const topic = newTopic();
  const bury = (position: number) => {
    const at = { xid: '1', position };
    const [id, time] = [`m${position}`, '2026-01-05T09:00:00.000Z'];
    const entry = { at, id, key: 'k', type: 'test', time, payload: '{}' };
    return letters.bury(topic, GROUP, { entry, reason: 'a defect', attempts: 5 });
  };
  await bury(1);
  await bury(2);
  expect(await letters.askReplay(topic, GROUP)).toBe(2);
  expect(await letters.list(topic, GROUP, 10)).toEqual([]);
  const taken = await letters.takeReplays(topic, GROUP, 10);
  expect(taken).toHaveLength(2);
  await bury(1);
  expect(await letters.list(topic, GROUP, 10)).toMatchObject([{ id: 'm1' }]);
  expect(await letters.askReplay(topic, GROUP)).toBe(1);
  await letters.settle(topic, GROUP, taken);
  expect(await letters.takeReplays(topic, GROUP, 10)).toMatchObject([{ id: 'm1' }]);
});
