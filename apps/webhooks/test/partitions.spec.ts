import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idFloor, newId } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import type { TestDatabase } from '@watchword/testing';
import { EventRetentionStore } from '../src/events/retention.store.js';
import { openTestDatabase } from './webhooks.kit.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const TABLES = ['deliveries', 'delivery_attempts'];
const weekOf = (ms: number) => Math.floor(ms / WEEK_MS) * WEEK_MS;
const nameOf = (table: string, ms: number) =>
  `${table}_${new Date(weekOf(ms)).toISOString().slice(0, 10).replaceAll('-', '')}`;
/** Beyond the first partition, which holds what was there before. */
const laterMs = Date.now() + 52 * WEEK_MS;

let database: TestDatabase;
let store: EventRetentionStore;

beforeAll(async () => {
  database = await openTestDatabase();
  store = new EventRetentionStore(database.pool);
});

afterAll(() => database?.drop());

/** Random but for its time. */
const idAt = (ms: number) => idFloor(ms).slice(0, 19) + newId().slice(19);

/** A delivery with one attempt; where they lie. */
async function write(ms: number, status = 'delivered'): Promise<string[]> {
  const id = idAt(ms);
  const dueAt = status === 'pending' ? new Date(ms) : null;
  const { rows } = await database.pool.query<{ name: string }>(
    `WITH delivery AS (
       INSERT INTO webhooks.deliveries (workspace_id, id, endpoint_id, event_id, status, attempt_count,
         next_attempt_at, due_at, created_at)
       VALUES ($2, $1, $2, 'evt', $3, 1, $4, $4, now()) RETURNING tableoid::regclass::text AS name
     ), attempt AS (
       INSERT INTO webhooks.delivery_attempts (delivery_id, number, attempted_at, latency_ms)
       VALUES ($1, 1, now(), 5) RETURNING tableoid::regclass::text AS name
     )
     SELECT name FROM delivery UNION ALL SELECT name FROM attempt`,
    [id, newId(), status, dueAt],
  );
  return rows.map(({ name }) => name.replace('webhooks.', ''));
}

async function rowsIn(partition: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM webhooks.${partition}`,
  );
  return rows[0]!.count;
}

async function partitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r'
     AND relnamespace = 'webhooks'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('partitions of deliveries', () => {
  it('are made for a week and the two after it, once', async () => {
    const wanted = [0, 1, 2].flatMap((weeks) =>
      TABLES.map((table) => nameOf(table, laterMs + weeks * WEEK_MS)),
    );
    const at = new Date(laterMs);
    const made = await Promise.all([1, 2].map(() => store.makePartitions(at)));
    expect(made.flat().toSorted()).toEqual(wanted.toSorted());
    expect(await store.makePartitions(at)).toEqual([]);
    expect(await partitions()).toEqual(expect.arrayContaining(wanted));
    expect(await write(laterMs)).toEqual(TABLES.map((table) => nameOf(table, laterMs)));
    expect(await write(Date.now())).toEqual(TABLES.map((table) => `${table}_first`));
  });

  it('take what went into the default one while the job was late', async () => {
    const lateMs = laterMs + 10 * WEEK_MS;
    const defaults = TABLES.map((table) => `${table}_default`);
    expect(await write(lateMs)).toEqual(defaults);
    await store.makePartitions(new Date(lateMs));
    expect(await rowsIn('deliveries_default')).toBe(0);
    expect(await rowsIn(nameOf('deliveries', lateMs))).toBe(1);
    expect(await rowsIn(nameOf('delivery_attempts', lateMs))).toBe(1);
  });
});

describe('old partitions', () => {
  /** As a week in the past would be, of which the first partition has none. */
  async function oldPartition(weeksAgo: number): Promise<number> {
    const ms = weekOf(Date.now() - weeksAgo * WEEK_MS);
    const [from, to] = [ms, ms + WEEK_MS].map(idFloor);
    const client = createClient({ url: database.adminUrl, applicationName: 'partitions-spec' });
    await client.connect();
    for (const table of TABLES) {
      await client.query(
        `ALTER TABLE webhooks.${table} DETACH PARTITION webhooks.${table}_first;
         ALTER TABLE webhooks.${table} ATTACH PARTITION webhooks.${table}_first
           FOR VALUES FROM ('${to}') TO ('${idFloor(weekOf(Date.now()) + 2 * WEEK_MS)}');
         CREATE TABLE webhooks.${nameOf(table, ms)} PARTITION OF webhooks.${table}
           FOR VALUES FROM ('${from}') TO ('${to}')`,
      );
    }
    await client.end();
    return ms;
  }

  it('are dropped with all attempts, but not while a delivery is under way or a week is young', async () => {
    const ms = await oldPartition(7);
    const names = TABLES.map((table) => nameOf(table, ms));
    expect(await write(ms + DAY_MS)).toEqual(names);
    expect(await store.dropPartition(new Date(ms + WEEK_MS - 1_000))).toBeNull();
    expect(await write(ms + DAY_MS, 'pending')).toEqual(names);
    expect(await store.dropPartition(new Date())).toBeNull();
    await database.pool.query(
      `UPDATE webhooks.deliveries SET status = 'failed', due_at = NULL, next_attempt_at = NULL
       WHERE status = 'pending'`,
    );
    expect(await store.dropPartition(new Date())).toBe(names[0]);
    expect(await partitions()).not.toEqual(expect.arrayContaining([names[0]]));
    expect(await partitions()).not.toEqual(expect.arrayContaining([names[1]]));
    expect(await store.dropPartition(new Date(laterMs + 600 * WEEK_MS))).toBeNull();
    expect(await rowsIn('deliveries_first')).toBe(1);
  });
});
