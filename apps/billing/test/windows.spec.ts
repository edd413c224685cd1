import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type AcceptRequest, type SendWindow, type WorkspaceId } from '@watchword/contracts';
import { purgeExpired } from '../src/acceptances/purge.job.js';
import { PurgeStore } from '../src/acceptances/purge.store.js';
import { balanceOf, keyed, openWallet, replicaOn, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

useBilling();

const newWindow = (over: Partial<SendWindow> = {}): SendWindow => ({
  id: randomUUID().replaceAll('-', ''),
  limit: 3,
  seconds: 600,
  ...over,
});

const to = (workspace: WorkspaceId, windows: SendWindow[], over: Partial<AcceptRequest> = {}) => ({
  ...send(workspace),
  windows,
  ...over,
});

async function verdicts(requests: AcceptRequest[]): Promise<string[]> {
  const results = await Promise.all(requests.map((request) => calls.accept(request)));
  return results.map(({ verdict }) => verdict).sort();
}

const times = <Item>(length: number, item: () => Item) => Array.from({ length }, item);

describe('windows of sends', () => {
  it('8: a batch of parallel sends gets exactly the places that a window has left', async () => {
    const workspace = await openWallet(calls, 1_000);
    const [window, other] = [newWindow(), newWindow({ limit: 7 })];
    const first = times(20, () => to(workspace, [window, other]));
    expect(await verdicts(first)).toEqual([
      ...Array(3).fill('accepted'),
      ...Array(17).fill('limited'),
    ]);
    // A send that one window refuses takes no place in another.
    const second = times(6, () => to(workspace, [other]));
    expect(await verdicts(second)).toEqual([...Array(4).fill('accepted'), 'limited', 'limited']);
    expect(await balanceOf(calls, workspace)).toBe(1_000 - 7 * 5);
  });

  it('8: two replicas count together, and a full window says when it ends', async () => {
    const workspace = await openWallet(calls, 1_000);
    const window = newWindow({ limit: 10 });
    const replicas = [calls, await replicaOn(pool, billing.clock)];
    const results = await Promise.all(
      times(40, () => replicas.map((one) => one.accept(to(workspace, [window])))).flat(),
    );
    expect(results.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(10);
    const refused = { verdict: 'limited', retry_after_seconds: 400 };
    billing.clock.advance(200_000);
    expect(await calls.accept(to(workspace, [newWindow(), window]))).toEqual(refused);
    const asked = { windows: [newWindow(), window, newWindow({ limit: 0, seconds: 7 })] };
    const full = { retry_after_seconds: [null, 400, 7] };
    expect(await calls.findFullWindows(asked)).toEqual(full);
    billing.clock.advance(400_000);
    expect(await verdicts(times(11, () => to(workspace, [window])))).toEqual([
      ...Array(10).fill('accepted'),
      'limited',
    ]);
  });

  it('decisions 7: neither a replay nor a refused send counts', async () => {
    const workspace = await openWallet(calls, 15);
    const windows = [newWindow()];
    const once = keyed(to(workspace, windows), 'once');
    for (const verdict of ['accepted', 'replayed', 'replayed', 'replayed']) {
      expect(await calls.accept(once)).toMatchObject({ verdict });
    }
    const expensive = { ...to(workspace, windows), send: { ...send(workspace).send, segments: 9 } };
    expect(await verdicts([expensive, expensive, expensive])).toEqual(
      Array(3).fill('insufficient_credits'),
    );
    expect(await verdicts(times(2, () => to(workspace, windows)))).toEqual([
      'accepted',
      'accepted',
    ]);
    expect(await calls.accept(to(workspace, windows))).toMatchObject({ verdict: 'limited' });
    expect(await calls.accept(once)).toMatchObject({ verdict: 'replayed' });
  });

  it('28: trial workspaces share a window, and a purchase exempts one', async () => {
    const trials = [await openWallet(calls, 100), await openWallet(calls, 100)];
    const shared = newWindow({ limit: 5, shared: true });
    const replicas = [calls, await replicaOn(pool, billing.clock)];
    const results = await Promise.all(
      times(5, () =>
        trials.map((workspace, index) => replicas[index]!.accept(to(workspace, [shared]))),
      ).flat(),
    );
    expect(results.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(5);
    const [bought] = trials as [WorkspaceId, WorkspaceId];
    const purchase = { workspace_id: bought, credits: 10, kind: 'purchase' as const };
    await calls.topUp({ ...purchase, idempotency: null });
    expect(await verdicts(trials.map((one) => to(one, [shared])))).toEqual(['accepted', 'limited']);
  });

  it('21: items of a batch count one by one, and its replay says the same', async () => {
    const workspace = await openWallet(calls, 1_000);
    const windows = [newWindow({ limit: 2 })];
    const items = times(4, () => ({ send: send(workspace).send, windows }));
    const idempotency = { scope: 'live POST /v1/sms/batch', key: 'k', fingerprint: 'f' };
    const request = { workspace_id: workspace, items, idempotency };
    const first = await calls.acceptBatch(request);
    if (first.verdict !== 'accepted') throw new Error(first.verdict);
    const limited = { verdict: 'limited', retry_after_seconds: 600 };
    expect(first.outcomes.slice(2)).toEqual([limited, limited]);
    expect(first.outcomes.slice(0, 2)).toMatchObject(Array(2).fill({ verdict: 'accepted' }));
    expect(await calls.acceptBatch(request)).toEqual({ ...first, verdict: 'replayed' });
  });

  it('a window is deleted a minute after its end, and counts no more from its end on', async () => {
    const workspace = await openWallet(calls, 1_000);
    const window = newWindow({ seconds: 60 });
    await calls.accept(to(workspace, [window]));
    const purge = async () => {
      await purgeExpired(new PurgeStore(pool), billing.clock);
      const found = await pool.query('SELECT FROM billing.send_windows WHERE id = $1', [window.id]);
      return found.rowCount;
    };
    billing.clock.advance(119_999);
    expect(await purge()).toBe(1);
    billing.clock.advance(1);
    expect(await purge()).toBe(0);
  });
});
