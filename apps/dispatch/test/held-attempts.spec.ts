/** What programs before 0.2.0 wrote to `sender_id` alone is found by `held_by` after the migration. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import { createClient } from '@watchword/postgres';
import { lockAwaited, type TestDatabase, testDatabase } from '@watchword/testing';
import type { QueryRunner } from 'typeorm';
import { dispatchService } from '../src/index.js';
import { HeldAttempts1796700001000 } from '../src/migrations/held-attempts.migration.js';

let database: TestDatabase;
let owner: ReturnType<typeof createClient>;

beforeAll(async () => {
  const { migrations, functions } = dispatchService;
  database = await testDatabase({ service: 'dispatch', migrations, functions });
  owner = createClient({ url: database.adminUrl, applicationName: 'held-attempts-spec' });
  await owner.connect();
  await owner.query('SET search_path = dispatch');
});

afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

type Holder = string | null;

/** Inserts attempts that differ in their time alone, from ten minutes ago on. */
async function insert(provider: string, holders: [Holder, Holder], count: number): Promise<void> {
  await owner.query(
    `INSERT INTO attempts (message_id, number, provider, started_at, late_delivery, sender_id, held_by)
     SELECT uuidv7(make_interval(secs => row * 0.01 - 600)), 1, $1, now(), false, $2, $3
     FROM generate_series(1, $4) AS row`,
    [provider, ...holders, count],
  );
}

it('builds the index of a partition while a statement of a service runs', async () => {
  const url = new URL(database.adminUrl);
  url.searchParams.set('options', '-c search_path=dispatch -c lock_timeout=150');
  const migrating = createClient({ url: url.href, applicationName: 'held-attempts-spec' });
  await migrating.connect();
  await owner.query('DROP INDEX attempts_held');
  await owner.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM attempts LIMIT 1');
  const query = async (text: string, values: unknown[] = []) =>
    (await migrating.query<Record<string, unknown>>(text, values)).rows;
  const migrated = new HeldAttempts1796700001000().up({ query } as unknown as QueryRunner);
  const watching = createClient({ url: database.adminUrl, applicationName: 'held-attempts-spec' });
  await watching.connect();
  await lockAwaited(watching);
  await watching.end();
  await owner.query('COMMIT');
  await migrated;
  expect(await query('SHOW lock_timeout')).toEqual([{ lock_timeout: '150ms' }]);
  await migrating.end();
});

it('refills held_by in batches where only sender_id was written', async () => {
  const [older, newer] = [newId(), newId()];
  await insert('ended', [null, older], 2_500);
  await insert('begun', [newer, null], 1_000);
  await insert('taken over', [newer, older], 1_001);
  await insert('both', [newer, newer], 3);
  await insert('neither', [null, null], 3);
  const batches: unknown[] = [];
  const query = async (text: string, values: unknown[] = []) => {
    const { rows } = await owner.query<Record<string, unknown>>(text, values);
    if (values.length > 0) batches.push(rows.length);
    return rows;
  };
  await new HeldAttempts1796700001000().up({ query } as unknown as QueryRunner);
  expect(batches).toEqual([1, 1, 1, 1, 0, 1, 0]);
  const { rows } = await owner.query<object>(
    `SELECT provider, sender_id AS sender, held_by AS held, count(*)::integer AS count
     FROM attempts GROUP BY 1, 2, 3 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { provider: 'begun', sender: newer, held: newer, count: 1_000 },
    { provider: 'both', sender: newer, held: newer, count: 3 },
    { provider: 'ended', sender: null, held: null, count: 2_500 },
    { provider: 'neither', sender: null, held: null, count: 3 },
    { provider: 'taken over', sender: newer, held: newer, count: 1_001 },
  ]);
});
