import { describe, expect, it, jest } from '@jest/globals';
import { TOPICS } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { RefundHandler } from '../src/refunds/refund.handler.js';
import { RefundStore } from '../src/refunds/refund.store.js';
import { balanceOf, openWallet, queueOf, refund, refundOf, send } from './billing.kit.js';
import { billing, calls, pool, useBilling } from './one-billing.kit.js';

useBilling();

async function refundEvents(messageId: string) {
  const events = await queueOf(pool, TOPICS.creditEvents.name);
  return events.filter(({ message_id }) => message_id === `refund-${messageId}`);
}

describe('a refund', () => {
  it('refunds exactly the charge, and announces it', async () => {
    const workspace = await openWallet(calls, 100);
    const request = send(workspace, { segments: 4 });
    await calls.accept(request);
    expect(await balanceOf(calls, workspace)).toBe(80);
    await refund(pool, [request]);
    expect(await balanceOf(calls, workspace)).toBe(100);
    const list = await calls.listEntries({ workspace_id: workspace, limit: 1 });
    const { message_id } = request.send;
    expect(list.data[0]).toMatchObject({
      kind: 'refund',
      credits: 20,
      balance_after: 100,
      message_id,
    });
    expect(await refundEvents(message_id)).toEqual([
      {
        key: workspace,
        message_id: `refund-${message_id}`,
        payload: {
          type: 'credit.refunded',
          workspace_id: workspace,
          message_id,
          entry_id: list.data[0]!.id,
          credits: 20,
          balance_after: 100,
          occurred_at: '2026-01-05T09:00:01.000Z',
        },
      },
    ]);
  });

  it('happens once, however often and however concurrently it is asked for', async () => {
    const workspace = await openWallet(calls, 100);
    const requests = Array.from({ length: 10 }, () => send(workspace));
    await Promise.all(requests.map((request) => calls.accept(request)));
    await Promise.all(Array.from({ length: 6 }, () => refund(pool, requests)));
    expect(await balanceOf(calls, workspace)).toBe(100);
    for (const request of requests) {
      expect(await refundEvents(request.send.message_id)).toHaveLength(1);
    }
  });

  it('goes only to the workspace that was charged', async () => {
    const payer = await openWallet(calls, 100);
    const other = await openWallet(calls, 100);
    const request = send(payer);
    await calls.accept(request);
    const forged = { ...request, send: { ...request.send, workspace_id: other } };
    await refund(pool, [forged]);
    expect(await balanceOf(calls, other)).toBe(100);
    expect(await balanceOf(calls, payer)).toBe(95);
    await refund(pool, [forged, request]);
    expect(await balanceOf(calls, payer)).toBe(100);
  });

  it('asked twice in one batch is done once, and a missing charge is worth a warning', async () => {
    const workspace = await openWallet(calls, 100);
    const request = send(workspace);
    await calls.accept(request);
    const [info, warn] = [jest.fn(), jest.fn()];
    const logger = { info, warn } as unknown as Logger;
    const handler = new RefundHandler(new RefundStore(pool), billing.clock, logger);
    await handler.refundBatch([refundOf(request), refundOf(request)]);
    expect(await balanceOf(calls, workspace)).toBe(100);
    expect(warn).not.toHaveBeenCalled();
    expect(info.mock.calls).toEqual([[{ messageId: request.send.message_id }, 'charge refunded']]);
    await handler.refundBatch([refundOf(send(workspace))]);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
