import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { newId } from '@watchword/contracts';
import { AcceptStore } from '../src/acceptances/accept.store.js';
import { AcceptHandler } from '../src/acceptances/accept.handler.js';
import { DEFAULT_PRICE_LIST } from '../src/migrations/default-price-list.js';
import { QuoteStore } from '../src/quotes/quote.store.js';
import { keyed, openTestDatabase, openWallet, refund, replicaOn, send } from './billing.kit.js';
import { FakeClock, type TestDatabase } from '@watchword/testing';

/**
 * Guards against a trap: a statement planned on empty tables keeps reading whole tables when they
 * are full. So it prepares first, fills afterwards on the same connection, and lets PostgreSQL
 * count what it read.
 */
const ROWS = 10_000;
/** More than the five calls after which PostgreSQL keeps a plan for all parameters. */
const BATCHES = 24;
const BATCH_SIZE = 64;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(1);
});

afterAll(async () => {
  await database?.drop();
});

const id = "lpad(to_hex(n), 32, '0')::uuid";
const fillings = [
  `INSERT INTO billing.accounts (workspace_id, balance, updated_at)
   SELECT ${id}, 0, now() FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.entries (
     id, workspace_id, ordinal, kind, credits, balance_after, message_id, created_at)
   SELECT ${id}, ${id}, 1, 'charge', 0, 0, ${id}, now()
   FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.idempotency_keys (
     workspace_id, scope, key, fingerprint, message_id, created_at)
   SELECT ${id}, 'live POST /v1/sms/send', n::text, 'f', ${id}, now()
   FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.acceptances
   SELECT ${id}, ${id}, false, 5, repeat('command ', 60), now()
   FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.quotes
   SELECT ${id}, ${id}, false, 'sms', '+2348031234567', 5, 'country:NG@1', now()
   FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.grants
   SELECT ${id}, 'sms_segment', '2026-01-01', 5, 5 FROM generate_series(1, $1::integer) AS n`,
  `INSERT INTO billing.key_spending
   SELECT ${id}, ${id}, false, '2026-01-05', 5 FROM generate_series(1, $1::integer) AS n`,
];

/** Returns the rows read by sequential scans, over all tables and statements of billing. */
async function rowsReadInSequence(): Promise<number> {
  await database.pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT sum(seq_tup_read)::bigint AS n FROM pg_stat_user_tables WHERE schemaname = 'billing'",
  );
  return rows[0]!.n;
}

describe('the batch functions', () => {
  it('touch only their own rows in full tables, though planned on empty ones', async () => {
    const { pool } = database;
    const clock = new FakeClock();
    const prices = {
      current: async () => ({ version: 1, updated_at: '', list: DEFAULT_PRICE_LIST }),
    };
    const handler = new AcceptHandler(
      new AcceptStore(pool),
      prices,
      new QuoteStore(pool),
      clock,
      createLogger({ service: 'spec', level: 'silent' }),
    );
    const calls = await replicaOn(pool, clock);
    const wallets = await Promise.all(Array.from({ length: 10 }, () => openWallet(calls, 100_000)));
    for (const workspace_id of wallets.slice(5)) {
      const quotas = { sms_segments_per_month: 1_000_000, emails_per_month: 0 };
      await calls.setPlan({ workspace_id, ...quotas });
    }
    const accept = async () => {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        // Every second batch has no workspace with a plan.
        const taking = batch % 2 === 0 ? wallets : wallets.slice(0, 5);
        const requests = Array.from({ length: BATCH_SIZE }, (_, index) =>
          keyed(send(taking[index % taking.length]!), newId()),
        );
        // A batch without a budget is decided by a shorter way.
        if (batch % 4 < 2) requests[0]!.budget = { key_id: newId(), daily_credits: 1_000 };
        await handler.acceptBatch(requests);
        await refund(pool, requests.slice(0, 8));
      }
    };

    await accept();
    for (const filling of fillings) await pool.query(filling, [ROWS]);
    const readBefore = await rowsReadInSequence();
    await accept();
    expect((await rowsReadInSequence()) - readBefore).toBe(0);
  });
});
