import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AcceptRequest,
  type ApiKeyId,
  asId,
  newId,
  type WorkspaceId,
} from '@watchword/contracts';
import { createPool } from '@watchword/postgres';
import { acceptMessages, acceptParameters } from '../src/acceptances/accept.store.js';
import { prepare } from '../src/acceptances/prepare.policy.js';
import { DEFAULT_PRICE_LIST } from '../src/migrations/default-price-list.js';
import {
  balanceOf,
  keyed,
  ledgerFaults,
  openWallet,
  refund,
  replicaOn,
  send,
} from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const NOON = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

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

  it('counts test mode apart, at the price that live would pay', async () => {
    const workspace = await openWallet(calls, 5);
    const budget = { key_id: newId(), daily_credits: 5 };
    const test = withBudget(workspace, budget, { test_mode: true });
    expect((await calls.accept(test)).verdict).toBe('accepted');
    expect(await calls.accept(withBudget(workspace, budget, { test_mode: true }))).toEqual({
      verdict: 'daily_budget',
      left: 0,
      required: 5,
    });
    expect((await calls.accept(withBudget(workspace, budget))).verdict).toBe('accepted');
    expect([await spentBy(budget.key_id), await spentBy(budget.key_id, true)]).toEqual([5, 5]);
    // A repeated refund command counts once.
    await refund(pool, [test]);
    await refund(pool, [test]);
    expect(await spentBy(budget.key_id, true)).toBe(0);
  });

  it('counts a replay once, and what a plan covers not at all', async () => {
    const workspace = await openWallet(calls, 5);
    const budget = { key_id: newId(), daily_credits: 5 };
    const request = keyed(withBudget(workspace, budget));
    const results = await Promise.all([calls.accept(request), calls.accept(request)]);
    expect(results.map(({ verdict }) => verdict)).toEqual(['accepted', 'replayed']);
    await calls.setPlan({
      workspace_id: workspace,
      sms_segments_per_month: 2,
      emails_per_month: 0,
    });
    const covered = withBudget(workspace, budget, { segments: 2 });
    expect(await calls.accept(covered)).toMatchObject({ command: { credits: 0 } });
    expect(await spentBy(budget.key_id)).toBe(5);
  });

  it('yields to an empty wallet, which is named first', async () => {
    const workspace = await openWallet(calls, 4);
    const result = await calls.accept(withBudget(workspace, { key_id: newId(), daily_credits: 0 }));
    expect(result.verdict).toBe('insufficient_credits');
  });

  it('is unknown for a key that has spent nothing', async () => {
    billing.clock.set(NOON + DAY_MS);
    for (const key of [newId(), 'no-id']) expect(await spentBy(asId(key))).toBe(0);
  });
});

describe('the acceptance statement', () => {
  it('takes emails from a grant of their own', async () => {
    const workspace = await openWallet(calls, 3);
    await calls.setPlan({
      workspace_id: workspace,
      sms_segments_per_month: 1,
      emails_per_month: 4,
    });
    const acceptedAt = new Date(NOON).toISOString();
    const prices = { version: 1, updated_at: '', list: DEFAULT_PRICE_LIST };
    const terms = { prices, quotes: new Map(), acceptedAt };
    /** 1 credit per recipient. */
    const email = (recipients: number) => {
      const request = send(workspace);
      const { send: priced, ...rest } = prepare(request, terms);
      const unit = 'email' as const;
      const acceptance = { ...rest, send: { ...priced, credits: recipients }, unit };
      return { request, acceptance: { ...acceptance, quantity: recipients } };
    };
    const sms = send(workspace, { segments: 1 });
    const emails = [email(3), email(3), email(3)];
    const batch = [emails[0]!.acceptance, prepare(sms, terms), emails[1]!.acceptance];
    const parameters = acceptParameters([...batch, emails[2]!.acceptance], acceptedAt);
    const { rows } = await pool.query<{ ordinal: number; verdict: string; credits: number }>(
      acceptMessages,
      parameters,
    );
    const verdicts = rows.toSorted((one, other) => one.ordinal - other.ordinal);
    expect(verdicts.map(({ verdict, credits }) => [verdict, credits])).toEqual([
      ['accepted', 0],
      ['accepted', 0],
      ['accepted', 2],
      ['insufficient_credits', 3],
    ]);
    const left = { sms_segments_left: 0, emails_left: 0 };
    expect(await calls.getPlan({ workspace_id: workspace })).toMatchObject(left);
    await refund(pool, [emails[0]!.request, emails[1]!.request, sms]);
    expect(await calls.getPlan({ workspace_id: workspace })).toMatchObject({
      sms_segments_left: 1,
      emails_left: 4,
    });
    expect(await balanceOf(calls, workspace)).toBe(3);
    expect(await ledgerFaults(pool)).toEqual([]);
  });
});
