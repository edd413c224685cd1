import { describe, expect, it } from '@jest/globals';
import { type CreditEvent, TOPICS, type WorkspaceId } from '@watchword/contracts';
import { openWallet, queueOf, send } from './billing.kit.js';
import { billing, useBilling } from './one-billing.kit.js';

useBilling();

async function wallet(credits: number, threshold: number | null): Promise<WorkspaceId> {
  const workspaceId = await openWallet(billing.calls, credits);
  await billing.calls.setLowBalanceThreshold({ workspace_id: workspaceId, threshold });
  return workspaceId;
}

async function warningsOf(workspaceId: WorkspaceId) {
  const events = await queueOf(billing.database.pool, TOPICS.creditEvents.name);
  return events
    .filter(({ key }) => key === workspaceId)
    .map(({ payload }) => payload as CreditEvent)
    .filter((event) => event.type === 'credit.low')
    .map(({ balance_after, threshold }) => [balance_after, threshold]);
}

const sendTimes = (workspaceId: WorkspaceId, times: number, over = {}) =>
  Promise.all(Array.from({ length: times }, () => billing.calls.accept(send(workspaceId, over))));

describe('a low balance', () => {
  it('is announced once by 500 parallel sends, and again after a top-up', async () => {
    const workspaceId = await wallet(1_000, 502);
    await sendTimes(workspaceId, 500);
    expect(await warningsOf(workspaceId)).toEqual([[500, 502]]);
    const topUp = { workspace_id: workspaceId, idempotency: null };
    await billing.calls.topUp({ ...topUp, credits: 510, kind: 'purchase' });
    await sendTimes(workspaceId, 3);
    expect(await warningsOf(workspaceId)).toEqual([
      [500, 502],
      [500, 502],
    ]);
  });

  it('is not announced in test mode, without a threshold, or when it is low already', async () => {
    const tested = await wallet(10, 10);
    await sendTimes(tested, 2, { test_mode: true });
    expect(await warningsOf(tested)).toEqual([]);
    const indifferent = await wallet(10, null);
    await sendTimes(indifferent, 2);
    expect(await warningsOf(indifferent)).toEqual([]);
    const low = await wallet(10, 11);
    await sendTimes(low, 2);
    expect(await warningsOf(low)).toEqual([]);
  });
});
