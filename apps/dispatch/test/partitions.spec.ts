import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idFloor, newId } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { type TestDatabase, testDatabase } from '@watchword/testing';
import { dispatchService } from '../src/index.js';
import { RetentionStore } from '../src/retention/retention.store.js';

const DAY_MS = 86_400_000;
const TABLES = ['messages', 'attempts'];
const KEYS: Record<string, string> = { messages: 'id', attempts: 'message_id' };
/** The first moment of a month, so many months from this one. */
const monthAt = (months: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
};
const nameOf = (table: string, ms: number) =>
  `${table}_${new Date(ms).toISOString().slice(0, 7).replace('-', '')}`;
/** Random but for its time. */
const idAt = (ms: number) => idFloor(ms).slice(0, 19) + newId().slice(19);
const floorOf = (ms: number) => `${idFloor(ms).slice(0, 14)}0000-0000-000000000000`;

let database: TestDatabase;
let store: RetentionStore;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions, poolSize: 6 });
  store = new RetentionStore(database.pool);
});

afterAll(() => database?.drop());

/** A message with one attempt, in the names of the product. */
function rowsAt(ms: number, held?: string) {
  const id = idAt(ms);
  const at = new Date(ms).toISOString();
  const message = {
    ...{ id, workspaceId: newId(), kind: 'sms', family: 'sms', testMode: false, state: 'sent' },
    ...{ destination: '+2348031234567', countryCode: 'NG', body: 'Ready.', rewritten: false },
    ...{ encoding: 'gsm7', segments: 1, credits: 5, priceRule: 'NG', metadata: {}, version: 1 },
    ...{ createdAt: at, updatedAt: at },
  };
  const attempt = {
    ...{ messageId: id, number: 1, provider: 'simulator', startedAt: at, resend: 0 },
    ...{ lateDelivery: false, wasAmbiguous: false, senderId: held },
    ...{ providerMessageId: `carrier-${id}` },
  };
  return { id, message, attempt };
}

/** Writes messages as the product does. */
async function add(rows: readonly ReturnType<typeof rowsAt>[]): Promise<void> {
  await database.pool.query('SELECT dispatch.add_messages($1, $2, $3, NULL, NULL, NULL)', [
    JSON.stringify(rows.map(({ message }) => message)),
    rows.length,
    JSON.stringify(rows.map(({ attempt }) => attempt)),
  ]);
}

/** Writes a message with its attempt. Returns where they lie. */
async function write(ms: number, changes: { held?: string } = {}): Promise<string[]> {
  const written = rowsAt(ms, changes.held);
  const { id } = written;
  await add([written]);
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT tableoid::regclass::text AS name FROM dispatch.messages WHERE id = $1
     UNION ALL SELECT tableoid::regclass::text FROM dispatch.attempts WHERE message_id = $1`,
    [id],
  );
  return rows.map(({ name }) => name.replace('dispatch.', ''));
}

async function partitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r'
     AND relnamespace = 'dispatch'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function asOwner(...statements: string[]): Promise<void> {
  const client = createClient({ url: database.adminUrl, applicationName: 'partitions-spec' });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

it('partitions of messages are created for a month and the next one, once, with space for updates', async () => {
  const months = [monthAt(12), monthAt(13)];
  const wanted = months.flatMap((month) => TABLES.map((table) => nameOf(table, month)));
  const at = new Date(months[0]! + 20 * DAY_MS);
  const made = await Promise.all([1, 2].map(() => store.makePartitions(at)));
  expect(made.flat().toSorted()).toEqual(wanted.toSorted());
  expect(await store.makePartitions(at)).toEqual([]);
  expect(await write(months[0]!)).toEqual(TABLES.map((table) => nameOf(table, months[0]!)));
  expect(await write(months[1]! - 1)).toEqual(TABLES.map((table) => nameOf(table, months[0]!)));
  expect(await write(Date.now())).toEqual(TABLES.map((table) => `${table}_first`));
  const { rows } = await database.pool.query<{ fill: string }>(
    `SELECT DISTINCT option AS fill FROM pg_class, unnest(reloptions) AS option
       WHERE relispartition AND relname LIKE 'messages_%' AND option LIKE 'fillfactor%'`,
  );
  expect(rows).toEqual([{ fill: 'fillfactor=50' }]);
});

it('a late partition takes its rows over from the default partition', async () => {
  const late = monthAt(20);
  expect(await write(late + DAY_MS)).toEqual(TABLES.map((table) => `${table}_default`));
  await store.makePartitions(new Date(late));
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM dispatch.messages_default
       UNION ALL SELECT count(*)::integer FROM dispatch.${nameOf('messages', late)}`,
  );
  expect(rows.map(({ count }) => count)).toEqual([0, 1]);
});

it('a delivery report finds the last message with its carrier id, no matter how old', async () => {
  const attempts = [
    { id: idAt(Date.now() - 390 * DAY_MS), named: 'old' },
    { id: idAt(Date.now() - 2 * DAY_MS), named: 'twice' },
    { id: idAt(Date.now() - DAY_MS), named: 'twice' },
  ];
  for (const { id, named } of attempts) {
    await database.pool.query(
      `INSERT INTO dispatch.attempts (message_id, number, provider, started_at, late_delivery,
         provider_message_id, outcome) VALUES ($1, 1, 'simulator', now(), false, $2, 'accepted')`,
      [id, named],
    );
  }
  const { rows } = await database.pool.query(
    `SELECT message_id AS id FROM dispatch.match_reports($1, $2) ORDER BY ordinal`,
    [
      ['simulator', 'simulator', 'other', 'simulator'],
      ['none', 'old', 'old', 'twice'],
    ],
  );
  const [old, , last] = attempts;
  expect(rows.map(({ id }) => id)).toEqual([null, old!.id, null, last!.id]);
});

/** As a month in the past would be, of which the first partition has none. */
async function oldPartition(month: number): Promise<string[]> {
  const [from, to] = [monthAt(month), monthAt(month + 1)].map(floorOf);
  for (const table of TABLES) {
    const first = `dispatch.${table}_first`;
    await asOwner(
      `DELETE FROM ${first} WHERE ${KEYS[table]} < '${to}'`,
      `ALTER TABLE dispatch.${table} DETACH PARTITION ${first}`,
      `ALTER TABLE dispatch.${table} ATTACH PARTITION ${first}
           FOR VALUES FROM ('${to}') TO ('${floorOf(monthAt(1))}')`,
      `CREATE TABLE dispatch.${nameOf(table, monthAt(month))} PARTITION OF dispatch.${table}
           FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
  return TABLES.map((table) => nameOf(table, monthAt(month)));
}

it('an old partition is dropped with its attempts, but not while a message is pending or the month is recent', async () => {
  const names = await oldPartition(-14);
  const end = monthAt(-13);
  expect(await write(end - DAY_MS, { held: newId() })).toEqual(names);
  expect(await store.dropPartition(new Date(end - 1_000))).toBeNull();
  expect(await store.dropPartition(new Date())).toBeNull();
  await database.pool.query(
    `UPDATE dispatch.attempts SET held_by = NULL, outcome = 'accepted' WHERE message_id < $1`,
    [floorOf(end)],
  );
  expect(await store.dropPartition(new Date())).toBe(names[0]);
  const left = await partitions();
  expect(names.filter((name) => left.includes(name))).toEqual([]);
  expect(await store.dropPartition(new Date(monthAt(40)))).toBeNull();
});
