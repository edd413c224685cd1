import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AcceptRequest, type ApiKeyId, newId, type WorkspaceId } from '@watchword/contracts';
import { createPool } from '@watchword/postgres';
import { balanceOf, openWallet, refund, replicaOn, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const NOON = Date.UTC(2026, 0, 5, 12);

useBilling();

beforeEach(() => billing.clock.set(NOON));

/** Returns a send to Nigeria: 5 credits per segment. */
function withBudget(
  workspace: WorkspaceId,
  budget: NonNullable<AcceptRequest['budget']>,
  over: Parameters<typeof send>[1] = {},
): AcceptRequest {
  return { ...send(workspace, over), budget };
}

async function spentBy(keyId: ApiKeyId, testMode = false): Promise<number> {
  return (await calls.getKeySpending({ key_id: keyId, test_mode: testMode })).credits;
}

describe('the daily budget of a key', () => {
  it('is never exceeded by 100 parallel calls on two replicas', async () => {
    const url = billing.database.url;
    const second = createPool({ url, schema: 'billing', max: 2, applicationName: 'second' });
    const replicas = [calls, await replicaOn(second, billing.clock)];
    const workspace = await openWallet(calls, 10_000);
    const budget = { key_id: newId(), daily_credits: 52 };
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        replicas[index % 2]!.accept(withBudget(workspace, budget)),
      ),
    );
    await second.end();
    const refused = results.filter(({ verdict }) => verdict === 'daily_budget');
    expect(results.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(10);
    expect(refused).toHaveLength(90);
    expect(refused[0]).toEqual({ verdict: 'daily_budget', left: 2, required: 5 });
    expect(await spentBy(budget.key_id)).toBe(50);
    expect(await balanceOf(calls, workspace)).toBe(9_950);
  });

  it('takes nothing when it refuses, and leaves other keys alone', async () => {
    const workspace = await openWallet(calls, 100);
    const budget = { key_id: newId(), daily_credits: 4 };
    const [over, other, none] = await Promise.all([
      calls.accept(withBudget(workspace, budget)),
      calls.accept(withBudget(workspace, { key_id: newId(), daily_credits: 5 })),
      calls.accept(send(workspace)),
    ]);
    expect(over.verdict).toBe('daily_budget');
    expect([other.verdict, none.verdict]).toEqual(['accepted', 'accepted']);
    expect(await balanceOf(calls, workspace)).toBe(90);
    expect(await spentBy(budget.key_id)).toBe(0);
  });

  it('is that of a UTC day: its charges less its refunds', async () => {
    const workspace = await openWallet(calls, 100);
    const budget = { key_id: newId(), daily_credits: 10 };
    const sends = [1, 2, 3].map(() => withBudget(workspace, budget));
    expect((await calls.accept(sends[0]!)).verdict).toBe('accepted');
    expect((await calls.accept(sends[1]!)).verdict).toBe('accepted');
    expect((await calls.accept(sends[2]!)).verdict).toBe('daily_budget');
    await refund(pool, [sends[0]!]);
    await refund(pool, [sends[0]!]);
    // The kit's refunds are made on this day.
    expect(await spentBy(budget.key_id)).toBe(5);
    expect((await calls.accept(sends[2]!)).verdict).toBe('accepted');
    billing.clock.set(Date.UTC(2026, 0, 5, 23, 59, 59, 999));
    expect((await calls.accept(withBudget(workspace, budget))).verdict).toBe('daily_budget');
    billing.clock.advance(1);
    expect(await calls.getKeySpending({ key_id: budget.key_id, test_mode: false })).toEqual({
      day: '2026-01-06',
      credits: 0,
    });
    expect((await calls.accept(withBudget(workspace, budget))).verdict).toBe('accepted');
  });

  it('yields to an empty wallet, which is named first', async () => {
    const workspace = await openWallet(calls, 4);
    const result = await calls.accept(withBudget(workspace, { key_id: newId(), daily_credits: 0 }));
    expect(result.verdict).toBe('insufficient_credits');
  });
});
