import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPool, type EmbeddedPostgres, startEmbeddedPostgres } from '@watchword/postgres';
import { checkInvariants, holds, renderReports } from '../invariants/check.ts';
import { FaultRun } from './fault-run.ts';
import { FORGERIES, type Forgery, type Logs } from './forgeries.ts';
import { killing } from './kill.ts';

/** Everything ends soon and nothing is ambiguous, so the run waits for nothing. */
const TREATMENTS = { plain: 70, refusedByAll: 10, refusedByFirst: 10, undelivered: 10 };

let run: FaultRun;
let logs: Logs;
let server: EmbeddedPostgres;

beforeAll(async () => {
  run = await FaultRun.open({ sendsPerSecond: 40, seed: 20_261_121, treatments: TREATMENTS });
  try {
    ({ evidence: logs } = await run.under(killing(0, [4_000, 4_000])));
  } finally {
    await run.stop();
  }
  server = await startEmbeddedPostgres({ directory: run.dataDir });
});

afterAll(async () => {
  await server?.stop();
  await run?.remove();
});

let copies = 0;

/** The checker's word on a copy of the run in which something was forged. */
async function checkForged({ sql = '', forge }: Forgery) {
  const name = `forged_${(copies += 1)}`;
  const url = new URL(server.url);
  await execute(server.url, `CREATE DATABASE ${name} TEMPLATE postgres`);
  url.pathname = `/${name}`;
  const forged = structuredClone(logs);
  forge?.(forged);
  try {
    if (sql !== '') await execute(url.href, `${UNGUARDED} ${sql} ${GUARDED}`);
    return await checkInvariants({ databaseUrl: url.href, ...forged });
  } finally {
    await execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function execute(url: string, statements: string): Promise<void> {
  const pool = createPool({ url, applicationName: 'watchword-forger', max: 1 });
  try {
    await pool.query(statements);
  } finally {
    await pool.end();
  }
}

/** The ledger's protection is switched off for the forgery, or it would fail first. */
const UNGUARDED = 'ALTER TABLE billing.entries DISABLE TRIGGER USER;';
const GUARDED = '; ALTER TABLE billing.entries ENABLE TRIGGER USER;';

it('the checker finds no violation in a sound run, and checks something for each invariant', async () => {
  const reports = await checkInvariants({ databaseUrl: server.url, ...logs });
  if (!holds(reports)) throw new Error(renderReports(reports));
  for (const { checked } of reports) expect(checked).toBeGreaterThan(10);
});

it.each(FORGERIES)('the checker finds by invariant $invariant: $name', async (forgery) => {
  const { violations } = (await checkForged(forgery))[forgery.invariant - 1]!;
  expect(violations.join('\n')).toMatch(forgery.says);
});

it('a violation of each invariant is planted', () => {
  const planted = new Set(FORGERIES.map(({ invariant }) => invariant));
  expect([...planted]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
