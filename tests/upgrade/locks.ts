/**
 * `node tests/upgrade/locks.ts [--rows 1000000]`: creates the last release's schemas with this many
 * messages, then runs this version's migrations beside a user of every table, which must wait 200
 * ms at most. A planted migration shows that a longer wait is detected.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createClient,
  migrate,
  type MigrationClass,
  type SchemaPlan,
  startEmbeddedPostgres,
} from '@watchword/postgres';
import type { QueryRunner } from 'typeorm';
import { givenNumber } from '../support/given-number.ts';
import { lastRecord, migrationsSince, passwords, plans, plansOf } from './released.ts';
import { TableCustomer } from './table-customer.ts';

type Admin = ReturnType<typeof createClient>;

/**
 * The tables that grow with messages, and the values that their checks need. Every other column is
 * filled by its type. Ids that tables are partitioned by are from the last minutes.
 */
const RECENT_ID = 'uuidv7(make_interval(secs => -row * 0.001))';
const GROWING: Record<string, Record<string, string>> = {
  'dispatch.messages': {
    id: RECENT_ID,
    kind: `'sms'`,
    body: `'Your parcel is here.'`,
    state: `'delivered'`,
  },
  'dispatch.attempts': {
    message_id: RECENT_ID,
    outcome: `'accepted'`,
    // As a program before 0.2.0 ended them.
    held_by: 'CASE WHEN row % 100 = 0 THEN gen_random_uuid() END',
  },
  'billing.acceptances': {},
  'billing.entries': { kind: `'charge'`, credits: '-5', message_id: 'gen_random_uuid()' },
  'webhooks.events': {},
  'webhooks.deliveries': { id: RECENT_ID, status: `'delivered'` },
  'webhooks.delivery_attempts': { delivery_id: RECENT_ID },
};
const BY_TYPE: [type: RegExp, value: string][] = [
  [/^uuid/, 'gen_random_uuid()'],
  [/^smallint/, '1'],
  [/^(integer|bigint)/, 'row'],
  [/^boolean/, 'false'],
  [/^timestamp/, 'now()'],
  [/^jsonb?/, `'{}'`],
  [/^text/, `'row ' || row`],
];

class Planted9999999999999 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE messages ALTER COLUMN version TYPE bigint');
  }
  async down(): Promise<void> {}
}

async function fill(admin: Admin, table: string, rows: number): Promise<void> {
  const columns = lastRecord().facts.tables[table]!;
  const given = { ...GROWING[table] };
  for (const [name, fact] of Object.entries(columns)) {
    if (given[name] !== undefined || !fact.endsWith(' not null')) continue;
    const value = BY_TYPE.find(([type]) => type.test(fact))?.[1];
    if (value === undefined) throw new Error(`${table}.${name}: no value for ${fact}`);
    given[name] = value;
  }
  await admin.query(
    `INSERT INTO ${table} (${Object.keys(given).join(', ')})
     SELECT ${Object.values(given).join(', ')} FROM generate_series(1, ${rows}) AS row`,
  );
}

const withPlanted = (plan: SchemaPlan): SchemaPlan =>
  plan.schema === 'dispatch'
    ? { ...plan, migrations: [...plan.migrations, Planted9999999999999 as MigrationClass] }
    : plan;

/** Migrates beside a customer; the tables that it waited too long for. */
async function waitsOf(adminUrl: string, some: readonly SchemaPlan[]): Promise<string[]> {
  const customer = await TableCustomer.start(adminUrl);
  const startedAt = performance.now();
  try {
    await migrate({ adminUrl, passwords, plans: some });
  } finally {
    await customer.stop();
  }
  const tookMs = Math.round(performance.now() - startedAt);
  console.log(
    `  ${tookMs} ms; ${customer.looks} looks, the longest wait ${Math.round(customer.longestMs)} ms`,
  );
  return [...customer.refused];
}

/** Returns whether no migration since the last release blocks others for long. */
export async function checkLocks(rows: number): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-locks-'));
  const server = await startEmbeddedPostgres({ directory });
  try {
    const { migrations } = lastRecord();
    await migrate({ adminUrl: server.url, passwords, plans: plansOf(migrations) });
    const admin = createClient({ url: server.url, applicationName: 'fill', statementTimeoutMs: 0 });
    await admin.connect();
    await admin.query('SET session_replication_role = replica; SET synchronous_commit = off');
    for (const table of Object.keys(GROWING)) {
      await fill(admin, table, rows);
      console.log(`filled ${table} after ${Math.round(performance.now())} ms`);
    }
    await admin.query('VACUUM ANALYZE');
    await admin.end();
    const since = migrationsSince(migrations);
    console.log(`${rows} rows in each of ${Object.keys(GROWING).join(', ')}`);
    console.log(`${since.length} migrations since the last release: ${since.join(', ') || 'none'}`);
    const held = await waitsOf(server.url, plans);
    for (const table of held) console.log(`  ${table} was held for more than 200 ms`);
    console.log('a planted migration that rewrites messages');
    const seen = await waitsOf(server.url, plans.map(withPlanted));
    if (!seen.includes('dispatch.messages')) console.log('  was not seen');
    return held.length === 0 && seen.includes('dispatch.messages');
  } finally {
    await server.destroy();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
  process.exitCode = (await checkLocks(givenNumber('rows', values.rows))) ? 0 : 1;
}
