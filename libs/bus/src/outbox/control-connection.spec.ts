import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually, Way } from '@watchword/testing';
import { ControlConnection } from './control-connection.js';

const logger = createLogger({ service: 'test', level: 'silent' });
const limits = { connectTimeoutMs: 500, answerTimeoutMs: 500, probeEveryMs: 200 };

let database: ClonedDatabase;
let way: Way;
let control: ControlConnection;
let events: string[];

beforeEach(async () => {
  database = await cloneDatabase([]);
  way = await Way.to(database.adminUrl);
  events = [];
  control = new ControlConnection({
    url: way.url(database.adminUrl),
    channels: ['news'],
    logger,
    onNotification: () => undefined,
    onConnected: () => events.push('connected'),
    onLost: () => events.push('lost'),
    limits,
  });
  await control.open();
});

afterEach(async () => {
  way.goOn();
  await control.close();
  await way.cut();
  await database.drop();
});

describe('a control connection whose host vanishes', () => {
  it('gives up its locks and connects anew, although nothing is asked', async () => {
    expect(await control.tryLock('lock')).toBe(true);
    way.strand();
    await eventually(() => expect(events).toEqual(['connected', 'lost', 'connected']));
    await control.tryLock('another');
  });

  it('gives up what is asked', async () => {
    way.strand();
    await expect(control.tryLock('lock')).rejects.toThrow('timeout');
    await eventually(() => expect(events).toEqual(['connected', 'lost', 'connected']));
    expect(await control.tryLock('lock')).toBe(true);
  });

  it('gives up a new connection that is not answered', async () => {
    way.hang();
    await expect(control.tryLock('lock')).rejects.toThrow('timeout');
    // Several tries have begun by then.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    way.strand();
    way.goOn();
    await eventually(() => expect(events).toEqual(['connected', 'lost', 'connected']));
  });
});

describe('a quiet control connection', () => {
  it('asks only while it holds a lock', async () => {
    const lastText = async () => {
      const admin = createClient({ url: database.adminUrl, applicationName: 'spec' });
      await admin.connect();
      const { rows } = await admin.query(
        `SELECT query FROM pg_stat_activity
         WHERE application_name = 'watchword-bus-control' AND datname = current_database()`,
      );
      await admin.end();
      return (rows as { query: string }[]).map(({ query }) => query);
    };
    await new Promise((resolve) => setTimeout(resolve, 3 * limits.probeEveryMs));
    expect(await lastText()).toEqual(['LISTEN news']);
    await control.tryLock('lock');
    await eventually(async () => expect(await lastText()).toEqual(['SELECT 1']));
  });
});
