import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AcceptRequest, TOPICS, type WorkspaceId } from '@watchword/contracts';
import {
  balanceOf,
  keyed,
  ledgerFaults,
  openWallet,
  queueOf,
  refund,
  replicaOn,
  send,
} from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

const JANUARY = Date.UTC(2026, 0, 31, 23, 59, 59, 999);

useBilling();

beforeEach(() => billing.clock.set(JANUARY));

const plan = (workspaceId: WorkspaceId, segments: number, emails = 0) =>
  calls.setPlan({
    workspace_id: workspaceId,
    sms_segments_per_month: segments,
    emails_per_month: emails,
  });

async function openPlanned(segments: number, credits = 100): Promise<WorkspaceId> {
  const workspace = await openWallet(calls, credits);
  await plan(workspace, segments);
  return workspace;
}

async function leftOf(workspaceId: WorkspaceId): Promise<number | undefined> {
  return (await calls.getPlan({ workspace_id: workspaceId }))?.sms_segments_left;
}

/** Returns what was taken: credits, or why nothing. */
async function take(request: AcceptRequest): Promise<number | string> {
  const result = await calls.accept(request);
  return 'command' in result ? result.command.credits : result.verdict;
}

const takeAll = (requests: AcceptRequest[]) => Promise.all(requests.map(take));

async function entriesOf({ send: { message_id } }: AcceptRequest) {
  const { rows } = await pool.query(
    `SELECT kind, credits, granted_segments AS segments, grant_month::text AS month
     FROM billing.entries WHERE message_id = $1 ORDER BY ordinal`,
    [message_id],
  );
  return rows;
}

describe('a plan', () => {
  it('holds at once, both ways, and never gives less than was used', async () => {
    const workspace = await openPlanned(10);
    const message = send(workspace, { segments: 6 });
    expect(await take(message)).toBe(0);
    expect(await plan(workspace, 8, 3)).toEqual({
      sms_segments_per_month: 8,
      emails_per_month: 3,
      month: '2026-01',
      sms_segments_left: 2,
      emails_left: 3,
    });
    expect(await plan(workspace, 4)).toMatchObject({
      sms_segments_per_month: 4,
      sms_segments_left: 0,
    });
    expect(await take(send(workspace))).toBe(5);
    await refund(pool, [message]);
    expect(await leftOf(workspace)).toBe(4);
    expect(await plan(workspace, 20)).toMatchObject({ sms_segments_left: 20 });
    expect(await plan(workspace, 0)).toMatchObject({ sms_segments_left: 0 });
    expect(await take(send(workspace))).toBe(5);
  });
});

describe('a grant', () => {
  it('is consumed first, and what exceeds it is taken from the wallet, in order of arrival', async () => {
    const workspace = await openPlanned(5);
    const requests = [3, 3, 1].map((segments) => keyed(send(workspace, { segments })));
    expect(await takeAll(requests)).toEqual([0, 5, 5]);
    expect(await balanceOf(calls, workspace)).toBe(90);
    expect(await leftOf(workspace)).toBe(0);
    expect(await Promise.all(requests.map(entriesOf))).toEqual([
      [{ kind: 'charge', credits: 0, segments: 3, month: '2026-01-01' }],
      [{ kind: 'charge', credits: -5, segments: 2, month: '2026-01-01' }],
      [{ kind: 'charge', credits: -5, segments: 0, month: null }],
    ]);
    const partly = requests[1]!;
    const { message_id, workspace_id } = partly.send;
    const { command } = await calls.findAcceptance({ message_id, workspace_id, test_mode: null });
    expect(command).toMatchObject({ ...partly.send, credits: 5 });
    const queued = await queueOf(pool, TOPICS.sendCommands.name);
    expect(queued.find((row) => row.message_id === message_id)?.payload).toEqual(command);
    expect(await calls.accept(partly)).toEqual({ verdict: 'replayed', command });
    expect(await takeAll(requests)).toEqual([0, 5, 5]);
    expect(await balanceOf(calls, workspace)).toBe(90);
  });

  it('serves exactly to its edge, in two processes at once', async () => {
    const workspace = await openPlanned(100, 5 * 51);
    const second = await replicaOn(pool, billing.clock);
    const requests = Array.from({ length: 120 }, (_, index) =>
      send(workspace, { segments: 1 + (index % 2) }),
    );
    const results = await Promise.all(
      requests.map((request, index) => (index % 3 ? calls : second).accept(request)),
    );
    const accepted = requests.filter((_, index) => results[index]!.verdict === 'accepted');
    const segments = accepted.reduce((total, { send: each }) => total + each.segments, 0);
    expect(segments).toBe(151);
    expect(await balanceOf(calls, workspace)).toBe(0);
    expect(await leftOf(workspace)).toBe(0);
    await Promise.all([refund(pool, accepted), refund(pool, accepted)]);
    expect(await balanceOf(calls, workspace)).toBe(5 * 51);
    expect(await leftOf(workspace)).toBe(100);
  });

  it('decisions 18: a new grant begins when the month changes in UTC', async () => {
    const workspace = await openPlanned(3);
    expect(await take(send(workspace, { segments: 3 }))).toBe(0);
    expect(await take(send(workspace))).toBe(5);
    billing.clock.advance(1);
    expect(await calls.getPlan({ workspace_id: workspace })).toMatchObject({
      month: '2026-02',
      sms_segments_left: 3,
    });
    expect(await take(send(workspace, { segments: 2 }))).toBe(0);
    expect(await leftOf(workspace)).toBe(1);
  });
});

describe('a refund', () => {
  it('decisions 18: returns segments to the month that they are of, and credits to the wallet, once', async () => {
    const workspace = await openPlanned(3);
    const [covered, partly] = [send(workspace, { segments: 2 }), send(workspace, { segments: 2 })];
    expect(await takeAll([covered, partly])).toEqual([0, 5]);
    billing.clock.advance(1);
    const later = send(workspace, { segments: 3 });
    expect(await take(later)).toBe(0);
    for (let again = 0; again < 2; again += 1) {
      await Promise.all([refund(pool, [covered, partly, later]), refund(pool, [partly, covered])]);
    }
    expect(await balanceOf(calls, workspace)).toBe(100);
    expect(await leftOf(workspace)).toBe(3);
    const { rows } = await pool.query(
      `SELECT month::text, granted, used FROM billing.grants WHERE workspace_id = $1 ORDER BY month`,
      [workspace],
    );
    expect(rows).toEqual([
      { month: '2026-01-01', granted: 3, used: 0 },
      { month: '2026-02-01', granted: 3, used: 0 },
    ]);
    expect(await entriesOf(partly)).toEqual([
      { kind: 'charge', credits: -5, segments: 1, month: '2026-01-01' },
      { kind: 'refund', credits: 5, segments: 1, month: '2026-01-01' },
    ]);
  });
});

describe('the audit of the ledger', () => {
  it('finds a grant that disagrees with the entries', async () => {
    const workspace = await openPlanned(5);
    await take(send(workspace, { segments: 3 }));
    const shift = (by: number) =>
      pool.query('UPDATE billing.grants SET used = used + $2 WHERE workspace_id = $1', [
        workspace,
        by,
      ]);
    await shift(1);
    expect(await ledgerFaults(pool)).toEqual([
      {
        workspaceId: workspace,
        fault: 'use of a grant is not the sum of the entries',
        entryId: null,
      },
    ]);
    await shift(-1);
    await expect(shift(-4)).rejects.toThrow();
    await expect(shift(3)).rejects.toThrow();
  });
});
