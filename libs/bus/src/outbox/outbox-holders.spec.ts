import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient, createPool, type DatabasePool } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually } from '@watchword/testing';
import { message, newTopic, range, Recorder } from '../contract/messages.kit.js';
import { busPlan, provisionBus } from '../postgres/bus.migration.js';
import type { OutgoingMessage } from '../bus.port.js';
import { createOutbox } from './outbox.migration.js';
import { OutboxHolders } from './outbox-holders.js';
import { type LogPosition, OutboxReader } from './outbox-reader.js';
import { OutboxRelay } from './outbox-relay.js';
import { PostgresBus } from '../postgres/postgres-bus.adapter.js';

class BillingOutbox1763500000004 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

const migrations = [BillingOutbox1763500000004];
const plans = [{ schema: 'billing', migrations }, { schema: 'gateway', migrations: [] }, busPlan];

let database: ClonedDatabase;
let elsewhere: ClonedDatabase;
let topic: Topic;
let warnings: Record<string, unknown>[];
let clients: ReturnType<typeof createClient>[];
let closers: { close(): Promise<void> }[];
/** A role that may `SET ROLE` to one that may write, without inheriting its rights. */
const member = `holder_${process.pid}`;

beforeAll(async () => {
  [database, elsewhere] = [await cloneDatabase(plans), await cloneDatabase(plans)];
  await provisionBus(database.adminUrl, [newTopic('billing')]);
  const admin = await connect(database.adminUrl);
  await admin.query(`CREATE ROLE ${member} LOGIN NOINHERIT PASSWORD 'test';
                     GRANT watchword_billing TO ${member}`);
  await admin.end();
});

afterAll(async () => {
  const admin = await connect(elsewhere.adminUrl);
  await admin.query(`DROP ROLE ${member}`);
  await admin.end();
  await database.drop();
  await elsewhere.drop();
});

beforeEach(() => {
  topic = newTopic('billing');
  [warnings, clients, closers] = [[], [], []];
});

afterEach(async () => {
  for (const { close } of closers) await close();
  for (const client of clients) await client.end();
});

async function connect(url: string) {
  const client = createClient({ url, applicationName: 'holder', statementTimeoutMs: 0 });
  await client.connect();
  return client;
}

/** Opens a transaction that has written something, and leaves it open. */
async function hold(url: string, first = 'BEGIN') {
  const client = await connect(url);
  clients.push(client);
  await client.query(first);
  await client.query('SELECT pg_current_xact_id()');
  return client;
}

interface System {
  write(messages: readonly OutgoingMessage[]): Promise<void>;
  arrived(): number[];
}

const logger = createLogger(
  { service: 'test', level: 'warn' },
  { write: (line: string) => void warnings.push(JSON.parse(line)) },
);

async function openRelay(): Promise<System> {
  const arrived: number[] = [];
  const relay = await OutboxRelay.open({
    service: 'billing',
    url: database.urlOf('billing'),
    topics: [topic],
    logger,
    target: {
      publish: async (_, batch) =>
        void arrived.push(...batch.map(({ payload }) => JSON.parse(payload).n)),
      refuse: async () => undefined,
      isRefusal: () => false,
    },
  });
  closers.push({ close: () => relay.close() });
  return { write: (messages) => relay.write(topic, messages), arrived: () => arrived };
}

async function openBus(): Promise<System> {
  const bus = await PostgresBus.open({ url: database.urlOf('bus'), logger, topics: [topic] });
  closers.push({ close: () => bus.close() });
  const recorder = new Recorder();
  await bus.subscribe(topic, { group: 'g' }, recorder.handle);
  return { write: (messages) => bus.publish(topic, messages), arrived: () => recorder.numbers };
}

const asMember = () => {
  const url = new URL(database.adminUrl);
  [url.username, url.password] = [member, 'test'];
  return url.href;
};

describe.each([
  ['the relay', openRelay],
  ['the embedded bus', openBus],
])('what %s waits for', (_, open) => {
  it.each([
    ['a superuser in another database', () => elsewhere.adminUrl],
    ['the same role in another database', () => elsewhere.urlOf('billing')],
    ['a role without the right to write the outbox', () => database.urlOf('gateway')],
  ])('is not an open transaction of %s', async (_case, url) => {
    const system = await open();
    await system.write([message(1)]);
    await eventually(() => expect(system.arrived()).toEqual([1]));
    const holder = await hold(url());
    await system.write(range(2, 6).map((n) => message(n)));
    await eventually(() => expect(system.arrived()).toEqual(range(1, 6)));
    await holder.query('COMMIT');
    await system.write([message(7)]);
    await eventually(() => expect(system.arrived()).toEqual(range(1, 7)));
    expect(warnings).toEqual([]);
  });

  it('is an open transaction that writes it, also while another one is not waited for', async () => {
    const system = await open();
    await hold(elsewhere.adminUrl);
    const writer = await hold(database.urlOf('billing'));
    await system.write([message(2)]);
    expect(system.arrived()).toEqual([]);
    const { key, id, type, payload } = message(1);
    await writer.query(
      `INSERT INTO billing.outbox (topic, key, message_id, type, payload)
       VALUES ($1, $2, $3, $4, $5)`,
      [topic.name, key, id, type, payload],
    );
    await writer.query('COMMIT');
    await eventually(() => expect(system.arrived()).toEqual([1, 2]));
  });
});

/** Reads one at a time, when the test asks. */
describe('a reader', () => {
  let pool: DatabasePool;
  let reader: OutboxReader;
  let nowMs: number;
  let at: LogPosition;
  let admin: Awaited<ReturnType<typeof connect>>;

  beforeEach(async () => {
    const url = database.urlOf('billing');
    pool = createPool({ url, max: 1, applicationName: 'reader' });
    nowMs = 1_000;
    at = { xid: '0', position: 0 };
    reader = new OutboxReader(pool, topic, new OutboxHolders(pool, logger), () => nowMs);
    clients.push((admin = await connect(database.adminUrl)));
  });

  afterEach(() => pool.end());

  type Client = typeof admin;

  async function write(client: Client, ...numbers: number[]): Promise<void> {
    for (const n of numbers) {
      const { key, id, type, payload } = message(n);
      await client.query(
        `INSERT INTO billing.outbox (topic, key, message_id, type, payload)
         VALUES ($1, $2, $3, $4, $5)`,
        [topic.name, key, id, type, payload],
      );
    }
  }

  async function readAfter(ms: number): Promise<string[]> {
    nowMs += ms;
    const { entries } = await reader.read(at, 100);
    at = entries.at(-1)?.at ?? at;
    return entries.map(({ id }) => id);
  }

  it('waits half a second once for a transaction that cannot write, and not again while it stays open', async () => {
    await hold(elsewhere.adminUrl);
    await write(admin, 1);
    expect(await readAfter(0)).toEqual([]);
    expect(await readAfter(499)).toEqual([]);
    expect(await readAfter(1)).toEqual(['message-1']);
    for (const n of range(2, 6)) {
      await write(admin, n);
      expect(await readAfter(0)).toEqual([`message-${n}`]);
    }
    expect(warnings).toEqual([]);
  });

  it.each([
    ['of a superuser', () => database.adminUrl, 'BEGIN'],
    ['of a superuser who has set a role', () => database.adminUrl, `BEGIN; SET ROLE ${member}`],
    ['of a role that may set another one', asMember, 'BEGIN'],
    ['of the service', () => database.urlOf('billing'), 'BEGIN'],
    ['of the bus', () => database.urlOf('bus'), 'BEGIN'],
  ])('waits for an open transaction %s, which may write, until it ends', async (_, url, first) => {
    const holder = await hold(url(), first);
    await write(admin, 1);
    for (const ms of [0, 1_000, 1_000]) expect(await readAfter(ms)).toEqual([]);
    await holder.query('ROLLBACK');
    expect(await readAfter(1)).toEqual(['message-1']);
    expect(warnings).toEqual([]);
  });

  const gatewayMay = `GRANT USAGE ON SCHEMA billing TO watchword_gateway;
                      GRANT INSERT ON billing.outbox TO watchword_gateway`;
  const gatewayMayNot = 'REVOKE INSERT ON billing.outbox FROM watchword_gateway';
  it.each([
    ['the right', () => database.urlOf('gateway'), gatewayMay, gatewayMayNot, 'SELECT 1'],
    [
      'the role that has it',
      asMember,
      `GRANT watchword_billing TO ${member}`,
      `REVOKE watchword_billing FROM ${member}`,
      'SET ROLE watchword_billing',
    ],
    [
      "a superuser's rights",
      asMember,
      `ALTER ROLE ${member} SUPERUSER; REVOKE watchword_billing FROM ${member}`,
      `ALTER ROLE ${member} NOSUPERUSER`,
      'SELECT 1',
    ],
  ])('waits for who has written, although %s was taken away', async (_, url, give, take, first) => {
    await admin.query(give);
    const holder = await hold(url());
    await holder.query(first);
    await write(holder, 1);
    await admin.query(take);
    await write(admin, 2);
    expect(await readAfter(0)).toEqual([]);
    expect(await readAfter(1_000)).toEqual([]);
    await holder.query('COMMIT');
    expect(await readAfter(1)).toEqual(['message-1', 'message-2']);
    await admin.query(`GRANT watchword_billing TO ${member}`);
  });

  it('logs a long transaction that may write after five seconds, once', async () => {
    const holder = await hold(database.adminUrl);
    const { rows } = await holder.query('SELECT pg_backend_pid() AS pid, session_user AS name');
    await write(admin, 1);
    expect(await readAfter(0)).toEqual([]);
    expect(await readAfter(4_999)).toEqual([]);
    expect(warnings).toEqual([]);
    for (const ms of [1, 5_000, 5_000]) expect(await readAfter(ms)).toEqual([]);
    const { pid, name } = rows[0];
    expect(warnings).toMatchObject([
      { outbox: 'billing', pid, user: name, applicationName: 'holder', prepared: null },
    ]);
    expect(warnings[0]).toMatchObject({
      heldSeconds: 5,
      end: `SELECT pg_terminate_backend(${pid})`,
    });
    expect((await admin.query(warnings[0]?.['look'] as string)).rows).toMatchObject([{ pid }]);
    await holder.query('ROLLBACK');
    expect(await readAfter(1)).toEqual(['message-1']);
  });

  it('waits for a prepared transaction, and logs how to end it', async () => {
    const holder = await hold(database.urlOf('billing'));
    await holder.query(`PREPARE TRANSACTION 'it''s ${topic.name}'`);
    await write(admin, 1);
    expect(await readAfter(0)).toEqual([]);
    expect(await readAfter(5_000)).toEqual([]);
    const end = `ROLLBACK PREPARED 'it''s ${topic.name}'`;
    expect(warnings).toMatchObject([{ pid: null, end }]);
    await admin.query(end);
    expect(await readAfter(1)).toEqual(['message-1']);
  });
});
