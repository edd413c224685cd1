import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase, eventually } from '@watchword/testing';
import { message, newTopic, range, Recorder } from './contract/messages.kit.js';
import { busPlan, provisionBus } from './bus.migration.js';
import type { OutgoingMessage } from './bus.port.js';
import { createOutbox } from './outbox.migration.js';
import { OutboxRelay } from './outbox-relay.js';
import { PostgresBus } from './postgres-bus.adapter.js';

class BillingOutbox1763500000004 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const migrations = [BillingOutbox1763500000004];
const plans = [{ schema: 'billing', migrations }, { schema: 'gateway', migrations: [] }, busPlan];

let database: ClonedDatabase;
let elsewhere: ClonedDatabase;
let topic: Topic;
let warnings: Record<string, unknown>[];
let clients: ReturnType<typeof createClient>[];
let closers: { close(): Promise<void> }[];
/** A role that may set a role which may write, without having its rights by itself. */
const member = `holder_${process.pid}`;

beforeAll(async () => {
  [database, elsewhere] = [await cloneDatabase(plans), await cloneDatabase(plans)];
  await provisionBus(database.adminUrl, [newTopic('billing')]);
  const admin = await connect(database.adminUrl);
  await admin.query(`CREATE ROLE ${member} LOGIN NOINHERIT PASSWORD 'test';
                     GRANT watchword_billing TO ${member}`);
  await admin.end();
}, 60_000);

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

/** A transaction that has written something, and stays open. */
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
    await eventually(() => expect(system.arrived()).toEqual(range(1, 6)), 2_000);
    // From then on, it goes as fast as ever.
    for (const n of range(7, 12)) {
      await system.write([message(n)]);
      await eventually(() => expect(system.arrived()).toEqual(range(1, n)), 400);
    }
    await holder.query('COMMIT');
    await system.write([message(13)]);
    await eventually(() => expect(system.arrived()).toEqual(range(1, 13)));
    expect(warnings).toEqual([]);
  });

  it('is an open transaction that writes it, also while another one is not waited for', async () => {
    const system = await open();
    await hold(elsewhere.adminUrl);
    const writer = await hold(database.urlOf('billing'));
    await system.write([message(2)]);
    await sleep(1_500);
    expect(system.arrived()).toEqual([]);
    const { key, id, type, payload } = message(1);
    await writer.query(
      `INSERT INTO billing.outbox (topic, key, message_id, type, payload)
       VALUES ($1, $2, $3, $4, $5)`,
      [topic.name, key, id, type, payload],
    );
    await writer.query('COMMIT');
    await eventually(() => expect(system.arrived()).toEqual([1, 2]), 1_000);
  });
});

describe('an open transaction that may write the outbox', () => {
  const oneToFive = range(1, 5);

  async function openBoth(): Promise<[System, System]> {
    return [await openRelay(), await openBus()];
  }

  async function expectAll(systems: readonly System[]): Promise<void> {
    for (const { arrived } of systems) {
      await eventually(() => expect(arrived()).toEqual(oneToFive), 2_000);
    }
  }

  it.each([
    ['of a superuser', () => database.adminUrl, 'BEGIN'],
    ['of a superuser who has set a role', () => database.adminUrl, `BEGIN; SET ROLE ${member}`],
    ['of a role that may set another one', asMember, 'BEGIN'],
    ['of the service', () => database.urlOf('billing'), 'BEGIN'],
    ['of the bus', () => database.urlOf('bus'), 'BEGIN'],
  ])('%s holds until it ends', async (_, url, first) => {
    const systems = await openBoth();
    const holder = await hold(url(), first);
    for (const n of oneToFive) await systems[0].write([message(n)]);
    await sleep(1_500);
    for (const { arrived } of systems) expect(arrived()).toEqual([]);
    await holder.query('ROLLBACK');
    await expectAll(systems);
    expect(warnings).toEqual([]);
  });

  it('is one that has written it, although the right was taken away since', async () => {
    const systems = await openBoth();
    const admin = await connect(database.adminUrl);
    clients.push(admin);
    await admin.query(`GRANT USAGE ON SCHEMA billing TO watchword_gateway;
                       GRANT INSERT ON billing.outbox TO watchword_gateway`);
    const holder = await hold(database.urlOf('gateway'));
    const { key, id, type, payload } = message(1);
    await holder.query(
      `INSERT INTO billing.outbox (topic, key, message_id, type, payload)
       VALUES ($1, $2, $3, $4, $5)`,
      [topic.name, key, id, type, payload],
    );
    await admin.query(`REVOKE INSERT ON billing.outbox FROM watchword_gateway`);
    for (const n of range(2, 5)) await systems[0].write([message(n)]);
    await sleep(1_500);
    for (const { arrived } of systems) expect(arrived()).toEqual([]);
    await holder.query('COMMIT');
    await expectAll(systems);
  });

  it('is told of once by each who waits for it', async () => {
    const systems = await openBoth();
    const holder = await hold(database.adminUrl);
    const { rows } = await holder.query('SELECT pg_backend_pid() AS pid, session_user AS name');
    for (const n of oneToFive) await systems[0].write([message(n)]);
    await sleep(4_000);
    expect(warnings).toEqual([]);
    await eventually(() => expect(warnings).toHaveLength(2), 4_000);
    // It would be told again after as long as the first time.
    await sleep(6_000);
    expect(warnings).toHaveLength(2);
    const { pid, name } = rows[0];
    for (const warning of warnings) {
      expect(warning).toMatchObject({ outbox: 'billing', pid, user: name });
      expect(warning).toMatchObject({ applicationName: 'holder', prepared: null });
      expect(warning['end']).toBe(`SELECT pg_terminate_backend(${pid})`);
    }
    await holder.query('ROLLBACK');
    await expectAll(systems);
  }, 30_000);
});
