import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually, waitUntil, Way } from '@watchword/testing';
import { ControlConnection } from './control-connection.js';

const logger = createLogger({ service: 'test', level: 'silent' });
/** A slow machine loses further connections. */
const expectAnew = () =>
  eventually(() => expect(events.slice(0, 3)).toEqual(['connected', 'lost', 'connected']));
const limits = { connectTimeoutMs: 500, answerTimeoutMs: 500, probeEveryMs: 200 };

let database: ClonedDatabase;
let way: Way;
let control: ControlConnection;
let events: string[];

const options = () => ({
  url: way.url(database.adminUrl),
  channels: ['news'],
  logger,
  onNotification: () => undefined,
  onConnected: () => void events.push('connected'),
  onLost: () => void events.push('lost'),
  limits,
});

beforeEach(async () => {
  database = await cloneDatabase([]);
  way = await Way.to(database.adminUrl);
  events = [];
  control = new ControlConnection(options());
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
    await expectAnew();
    await control.tryLock('another');
  });

  it('gives up what is asked', async () => {
    way.strand();
    await expect(control.tryLock('lock')).rejects.toThrow('timeout');
    await expectAnew();
    await eventually(async () => expect(await control.tryLock('lock')).toBe(true));
  });

  it('gives up a new connection that is not answered', async () => {
    way.hang();
    await expect(control.tryLock('lock')).rejects.toThrow('timeout');
    const before = way.connections;
    await waitUntil('several tries', () => way.connections >= before + 3);
    way.strand();
    way.goOn();
    await expectAnew();
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
    expect(await lastText()).toEqual(['LISTEN news']);
    const holder = new ControlConnection({ ...options(), onConnected: () => undefined });
    await holder.open();
    await holder.tryLock('lock');
    // The other one asks, and the quiet one does not.
    await eventually(async () => {
      expect((await lastText()).toSorted()).toEqual(['LISTEN news', 'SELECT 1']);
    });
    await holder.close();
    await control.tryLock('own');
    await eventually(async () => expect(await lastText()).toEqual(['SELECT 1']));
  });
});
