import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@watchword/contracts';
import type { DatabasePool } from '@watchword/postgres';
import fc from 'fast-check';
import type { Acceptance } from '../src/acceptances/acceptance.js';
import { acceptMessages, acceptParameters } from '../src/acceptances/accept.store.js';
import { openBilling, send, type TestBilling } from './billing.kit.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

/** Which parameter of the statement names the keys with a budget, from 0. */
const KEY_IDS = 14;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-05T09:00:00.000Z');

/** One of a workspace without a plan, one with a threshold, one with a plan, one with little, one unknown. */
const WORKSPACES = Array.from({ length: 5 }, () => newId());
const ACCOUNTS: [balance: number, low: number | null, segments: number | null][] = [
  [1_000_000, null, null],
  [400, 250, null],
  [500, null, 20],
  [60, null, null],
];

const item = fc.record({
  workspace: fc.oneof({ weight: 9, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(4) }),
  testMode: fc.boolean(),
  cost: fc.nat(30),
  key: fc.option(fc.nat(12), { freq: 2 }),
  isSms: fc.boolean(),
});
type Item = typeof item extends fc.Arbitrary<infer Value> ? Value : never;
const batches = fc.array(fc.uniqueArray(item, { minLength: 1, maxLength: 8, selector: keyOf }), {
  minLength: 1,
  maxLength: 12,
});

/** No key occurs twice in a batch. */
function keyOf({ workspace, key }: Item): unknown {
  return key === null ? newId() : `${workspace} ${key}`;
}

/** `plain` decides as the product does; `any` decides every batch as if it were none of the usual ones. */
let plain: TestBilling;
let any: TestBilling;

beforeAll(async () => {
  [plain, any] = await Promise.all([openBilling(), openBilling()]);
});
afterAll(() => Promise.all([plain, any].map(({ database }) => database.drop())));

async function fill({ pool }: TestBilling): Promise<void> {
  for (const [index, [balance, low, segments]] of ACCOUNTS.entries()) {
    await pool.query(
      `INSERT INTO billing.accounts (workspace_id, balance, updated_at, low_balance_threshold, sms_segments_per_month)
       VALUES ($1, $2, $5, $3, $4) ON CONFLICT (workspace_id) DO UPDATE SET balance = excluded.balance`,
      [WORKSPACES[index], balance, low, segments, new Date(START)],
    );
  }
}

function acceptanceOf({ workspace, testMode, cost, key, isSms }: Item): Acceptance {
  const { send: sent } = send(WORKSPACES[workspace]!, { test_mode: testMode, segments: 2 });
  const priced = { ...sent, credits: cost * 2, price_rule: 'country:NG@1', created_at: '' };
  const { credits: _, ...command } = priced;
  const claim = key === null ? null : { scope: 's', key: `${key}`, fingerprint: `${cost % 2}` };
  return {
    send: priced as Acceptance['send'],
    command: JSON.stringify(command).slice(1),
    entryId: newId(),
    claim,
    quoteId: null,
    unit: isSms && !testMode ? 'sms_segment' : null,
    quantity: 2,
    budget: null,
  };
}

async function decide(pool: DatabasePool, parameters: unknown[]): Promise<unknown[]> {
  const { rows } = await pool.query<{ ordinal: number }>(acceptMessages, parameters);
  return rows.toSorted((one, other) => one.ordinal - other.ordinal);
}

async function written({ pool }: TestBilling): Promise<unknown> {
  const { rows } = await pool.query(`
    SELECT
      (SELECT json_agg(a ORDER BY workspace_id) FROM billing.accounts AS a) AS accounts,
      (SELECT json_agg(e ORDER BY workspace_id, ordinal) FROM billing.entries AS e) AS entries,
      (SELECT json_agg(a ORDER BY message_id) FROM billing.acceptances AS a) AS acceptances,
      (SELECT json_agg(k ORDER BY workspace_id, key) FROM billing.idempotency_keys AS k) AS keys,
      (SELECT json_agg(g ORDER BY workspace_id) FROM billing.grants AS g) AS grants,
      (SELECT json_agg(json_build_array(topic, key, message_id, type, occurred_at, payload)
        ORDER BY topic, position) FROM billing.outbox) AS outbox`);
  return rows[0];
}

describe('the plain batch', () => {
  it('answers and writes what the statement for any batch does', async () => {
    let at = START;
    await fc.assert(
      fc.asyncProperty(batches, async (run) => {
        await Promise.all([fill(plain), fill(any)]);
        for (const items of run) {
          // Keys are deleted after a day.
          at += DAY_MS / 10;
          const acceptedAt = new Date(at).toISOString();
          const parameters = acceptParameters(items.map(acceptanceOf), acceptedAt);
          const forced = parameters.with(
            KEY_IDS,
            items.map(() => null),
          );
          const [one, other] = [
            await decide(plain.pool, parameters),
            await decide(any.pool, forced),
          ];
          expect(one).toEqual(other);
        }
        expect(await written(plain)).toEqual(await written(any));
      }),
      { numRuns: 30 },
    );
  });
});
