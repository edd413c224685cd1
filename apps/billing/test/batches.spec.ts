import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AcceptBatchResult,
  asId,
  type BatchOutcome,
  IDEMPOTENCY_KEY_MS,
  newId,
  TOPICS,
} from '@watchword/contracts';
import { createPool } from '@watchword/postgres';
import {
  balanceOf,
  BATCH_SCOPE,
  batchOf,
  count,
  openWallet,
  queueOf,
  refund,
  replicaOn,
  send,
} from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const START = Date.UTC(2026, 0, 31, 23, 0);

useBilling();

beforeEach(() => billing.clock.set(START));

const claim = (key: string = newId(), fingerprint = 'same') => ({
  scope: BATCH_SCOPE,
  key,
  fingerprint,
});

function outcomesOf(result: AcceptBatchResult): BatchOutcome[] {
  if (!('outcomes' in result)) throw new Error(result.verdict);
  return result.outcomes;
}

const verdictsOf = (result: AcceptBatchResult) => outcomesOf(result).map(({ verdict }) => verdict);

describe('a batch', () => {
  it('accepts what can be paid, in order, and gives the errors of items back', async () => {
    const workspace = await openWallet(calls, 27);
    const error = '{"type":"phone_invalid","field":"to"}';
    const sends = [2, 9, 1, 4, 1, 2, 1].map((segments) => send(workspace, { segments }));
    const result = await calls.acceptBatch(batchOf(workspace, [error, ...sends, error]));
    expect(verdictsOf(result)).toEqual([
      'refused',
      ...['accepted', 'insufficient_credits', 'accepted', 'insufficient_credits'],
      ...['accepted', 'insufficient_credits', 'accepted'],
      'refused',
    ]);
    const outcomes = outcomesOf(result);
    expect(outcomes[0]).toEqual({ verdict: 'refused', error });
    expect(outcomes[2]).toEqual({ verdict: 'insufficient_credits', balance: 17, required: 45 });
    expect(await balanceOf(calls, workspace)).toBe(2);
    const queued = await queueOf(pool, TOPICS.sendCommands.name);
    const commands = outcomes.flatMap((each) => ('command' in each ? [each.command] : []));
    expect(queued.slice(-4).map(({ payload }) => payload)).toEqual(commands);
    expect(commands[0]).toMatchObject({ credits: 10, created_at: '2026-01-31T23:00:00.000Z' });
  });

  it('decisions 18: a batch of a thousand is one transaction, and one key replays the whole answer', async () => {
    const workspace = await openWallet(calls, 5 * 600);
    const items = Array.from({ length: 1_000 }, (_, index) =>
      index % 10 === 9 ? `error ${index}` : send(workspace),
    );
    const idempotency = claim();
    const first = await calls.acceptBatch(batchOf(workspace, items, idempotency));
    const { rows } = await pool.query<{ n: number }>(
      `SELECT count(DISTINCT xmin::text) AS n FROM billing.entries
       WHERE workspace_id = $1 AND kind = 'charge'`,
      [workspace],
    );
    expect(rows[0]!.n).toBe(1);
    expect(await balanceOf(calls, workspace)).toBe(0);
    const tally = Map.groupBy(outcomesOf(first), ({ verdict }) => verdict);
    expect([...tally].map(([verdict, of]) => [verdict, of.length])).toEqual([
      ['accepted', 600],
      ['refused', 100],
      ['insufficient_credits', 300],
    ]);
    await calls.topUp({
      workspace_id: workspace,
      credits: 5_000,
      kind: 'bonus',
      idempotency: null,
    });
    billing.clock.advance(IDEMPOTENCY_KEY_MS - 1);
    // The retry draws other ids and finds other errors. Only the key and the fingerprint count.
    const retry = batchOf(workspace, [send(workspace), 'another error'], idempotency);
    const replay = await calls.acceptBatch(retry);
    expect(replay).toEqual({ verdict: 'replayed', outcomes: outcomesOf(first) });
    const looked = await calls.findBatchReplay({ workspace_id: workspace, idempotency });
    expect(looked).toEqual(replay);
    expect(await balanceOf(calls, workspace)).toBe(5_000);
  });

  it('is answered once when its key is used in parallel, by two replicas', async () => {
    const url = billing.database.url;
    const second = createPool({ url, schema: 'billing', max: 4, applicationName: 'second' });
    const replicas = [calls, await replicaOn(second, billing.clock)];
    const workspace = await openWallet(calls, 10_000);
    const idempotency = claim();
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        replicas[index % 2]!.acceptBatch(
          batchOf(workspace, [send(workspace), 'error', send(workspace)], idempotency),
        ),
      ),
    );
    await second.end();
    expect(results.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(1);
    for (const result of results) expect(outcomesOf(result)).toEqual(outcomesOf(results[0]!));
    expect(await balanceOf(calls, workspace)).toBe(9_990);
  });

  it('leaves nothing when it fails half-way', async () => {
    const workspace = await openWallet(calls, 100);
    const before = await count(pool, 'acceptances');
    const poison = send(workspace, { message_id: asId('not-a-uuid') });
    const batch = batchOf(workspace, [send(workspace), poison], claim());
    await expect(calls.acceptBatch(batch)).rejects.toThrow();
    expect(await count(pool, 'acceptances')).toBe(before);
    expect(await balanceOf(calls, workspace)).toBe(100);
  });

  it('draws on the quota segment by segment; a refund returns to the month of the charge', async () => {
    const workspace = await openWallet(calls, 12);
    const quotas = { sms_segments_per_month: 4, emails_per_month: 0 };
    await calls.setPlan({ workspace_id: workspace, ...quotas });
    const month = async () => {
      const plan = await calls.getPlan({ workspace_id: workspace });
      return [plan!.month, plan!.sms_segments_left];
    };
    // A scheduled message is charged at acceptance, in that month.
    const later = { family: 'b' as const, send_at: '2026-02-10T08:00:00.000Z' };
    const sends = [3, 3, 2, 1].map((segments) => send(workspace, { ...later, segments }));
    const outcomes = outcomesOf(await calls.acceptBatch(batchOf(workspace, sends)));
    expect(outcomes.map((each) => ('command' in each ? each.command.credits : each))).toEqual([
      0,
      10,
      { verdict: 'insufficient_credits', balance: 2, required: 10 },
      { verdict: 'insufficient_credits', balance: 2, required: 5 },
    ]);
    expect(outcomes[0]).toMatchObject({ command: later });
    expect(await month()).toEqual(['2026-01', 0]);
    billing.clock.set(Date.UTC(2026, 1, 1));
    await refund(pool, sends.slice(0, 2));
    expect(await month()).toEqual(['2026-02', 4]);
    billing.clock.set(START);
    expect(await month()).toEqual(['2026-01', 4]);
    expect(await balanceOf(calls, workspace)).toBe(12);
  });
});
