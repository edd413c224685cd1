import { describe, expect, it } from '@jest/globals';
import { BALANCE_MAX, newId, TOPICS } from '@watchword/contracts';
import { createClient, sqlState } from '@watchword/postgres';
import { PurgeStore } from '../src/acceptances/purge.store.js';
import { purgeExpired } from '../src/acceptances/purge.job.js';
import { balanceOf, count, keyed, openWallet, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const HOUR_MS = 3_600_000;

useBilling();

describe('an account', () => {
  it('opens once, with one opening entry, however often it is asked for', async () => {
    const workspace_id = newId();
    const opening = { workspace_id, credits: 10, kind: 'trial' as const };
    const opened = await Promise.all(Array.from({ length: 5 }, () => calls.openAccount(opening)));
    for (const account of opened) {
      expect(account).toEqual({
        workspace_id,
        balance: 10,
        purchased_credits: 0,
        updated_at: '2026-01-05T09:00:00.000Z',
      });
    }
    const { data } = await calls.listEntries({ workspace_id, limit: 10 });
    expect(data).toMatchObject([
      { kind: 'top_up', top_up_kind: 'trial', credits: 10, balance_after: 10 },
    ]);
  });
});

describe('a top-up', () => {
  it('is announced in the order of the ledger, with any number at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const workspace_id = await openWallet(calls, 0);
      const topUp = () =>
        calls.topUp({ workspace_id, credits: 1, kind: 'bonus', idempotency: null });
      await Promise.all(Array.from({ length: 6 }, topUp));
      const { rows } = await pool.query<{ balance: number }>(
        `SELECT (payload::json ->> 'balance_after')::integer AS balance FROM billing.message_queue
         WHERE topic = $1 AND key = $2 AND reader = 'webhooks.fan-out' ORDER BY position`,
        [TOPICS.creditEvents.name, workspace_id],
      );
      expect(rows.map(({ balance }) => balance)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  const idempotency = { scope: 'operator POST /top-ups', key: 'k', fingerprint: 'one' };

  it('happens once under a key', async () => {
    const workspace_id = await openWallet(calls, 0);
    const request = { workspace_id, credits: 5, kind: 'bonus' as const, idempotency };
    const results = await Promise.all(Array.from({ length: 8 }, () => calls.topUp(request)));
    const verdicts = results.map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === 'done')).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === 'replayed')).toHaveLength(7);
    for (const result of results) {
      expect('entry' in result && result.entry).toEqual('entry' in results[0]! && results[0].entry);
    }
    const other = { ...idempotency, fingerprint: 'two' };
    expect(await calls.topUp({ ...request, idempotency: other })).toEqual({
      verdict: 'idempotency_conflict',
    });
    expect(await balanceOf(calls, workspace_id)).toBe(5);
    billing.clock.advance(24 * HOUR_MS);
    expect(await calls.topUp({ ...request, idempotency: other })).toMatchObject({
      verdict: 'done',
      entry: { balance_after: 10 },
    });
  });

  it('never reaches a balance that JSON does not carry exactly; the database refuses it, too', async () => {
    const workspace_id = await openWallet(calls, 10);
    const request = { workspace_id, kind: 'bonus' as const, idempotency: null };
    expect(await calls.topUp({ ...request, credits: BALANCE_MAX })).toEqual({
      verdict: 'balance_too_high',
      balance: 10,
    });
    const set = (balance: string) =>
      billing.pool.query('UPDATE billing.accounts SET balance = $2 WHERE workspace_id = $1', [
        workspace_id,
        balance,
      ]);
    await expect(set('9007199254740992')).rejects.toMatchObject({
      code: '23514',
      constraint: 'balance_is_exact_in_json',
    });
    expect(await balanceOf(calls, workspace_id)).toBe(10);
  });

  it('takes away as an adjustment only, and never more than there is', async () => {
    const workspace_id = await openWallet(calls, 10);
    const request = { workspace_id, kind: 'adjustment' as const, idempotency: null };
    expect(await calls.topUp({ ...request, credits: -11 })).toEqual({
      verdict: 'balance_too_low',
      balance: 10,
    });
    expect(await calls.topUp({ ...request, credits: -10 })).toMatchObject({
      verdict: 'done',
      entry: { credits: -10, balance_after: 0 },
    });
    await expect(calls.topUp({ ...request, kind: 'purchase', credits: -1 })).rejects.toThrow(
      RangeError,
    );
    expect(await calls.topUp({ ...request, workspace_id: newId(), credits: 1 })).toEqual({
      verdict: 'unknown_workspace',
    });
  });
});

describe('the list of entries', () => {
  it('pages newest first, without gaps or repetitions, while others write', async () => {
    const workspace_id = await openWallet(calls, 1_000);
    for (let index = 0; index < 11; index += 1) await calls.accept(send(workspace_id));
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await calls.listEntries({ workspace_id, limit: 4, cursor });
      seen.push(...page.data.map((entry) => entry.balance_after));
      cursor = page.next_cursor;
      await calls.accept(send(workspace_id));
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => 945 + index * 5));
  });
});

describe('the ledger', () => {
  it('cannot be altered, by the service or by an administrator', async () => {
    await openWallet(calls, 5);
    for (const change of [
      'UPDATE billing.entries SET credits = 1',
      'DELETE FROM billing.entries',
      'TRUNCATE billing.entries',
      'DELETE FROM billing.accounts',
    ]) {
      const error = await pool.query(change).catch((caught: unknown) => caught);
      expect([change, sqlState(error)]).toEqual([change, '42501']);
    }
    const administrator = createClient({
      url: billing.database.adminUrl,
      applicationName: 'administrator',
    });
    await administrator.connect();
    for (const change of [
      'UPDATE billing.entries SET credits = 1',
      'DELETE FROM billing.entries',
      'TRUNCATE billing.entries',
    ]) {
      await expect(administrator.query(change)).rejects.toThrow('never changed');
    }
    await administrator.end();
  });
});

describe('the purge', () => {
  it('takes keys after 24 hours and acceptances after 7 days', async () => {
    const workspace = await openWallet(calls, 100);
    const { clock } = billing;
    const purge = () => purgeExpired(new PurgeStore(pool), clock);
    await calls.accept(keyed(send(workspace), 'old'));
    clock.advance(24 * HOUR_MS - 1);
    await calls.accept(keyed(send(workspace), 'young'));
    await purge();
    expect(await count(pool, "idempotency_keys WHERE key IN ('old', 'young')")).toBe(2);
    clock.advance(1);
    await purge();
    expect(await count(pool, "idempotency_keys WHERE key IN ('old', 'young')")).toBe(1);
    clock.set(Date.now() + 8 * 24 * HOUR_MS);
    await purge();
    expect(await count(pool, 'acceptances')).toBe(0);
  });
});
