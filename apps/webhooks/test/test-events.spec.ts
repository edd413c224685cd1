import { beforeEach, describe, expect, it } from '@jest/globals';
import { asId, newId, type WorkspaceId } from '@watchword/contracts';
import { occurrenceOfCredit } from '../src/events/occurrence.policy.js';
import {
  calls,
  createWebhook,
  database,
  openScene,
  own,
  receiver,
  service,
  workspaceId,
} from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene();

beforeEach(() => service.scheduler.start());

const toppedUp = () =>
  occurrenceOfCredit({
    type: 'credit.topped_up',
    workspace_id: workspaceId,
    entry_id: newId(),
    top_up_kind: 'purchase',
    credits: 5,
    balance_after: 5,
    occurred_at: new Date(service.clock.now()).toISOString(),
  })!;

const fire = () => service.webhooks.calls.sendTestEvent({ workspace_id: workspaceId, balance: 42 });

describe('a test event', () => {
  it('is a topped-up event marked as a test, sent without a subscription too', async () => {
    await service.putEndpoint(workspaceId, receiver.origin, ['otp.sent']);
    const fired = await fire();
    expect(fired).toEqual({
      verdict: 'sent',
      event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      event_type: 'credit_balance.topped_up',
      delivery_id: expect.any(String),
    });
    await whenSo(
      () => receiver.received.length,
      (count) => count === 1,
    );
    const [got] = receiver.received;
    expect(JSON.parse(got!.body.toString())).toEqual({
      event: 'credit_balance.topped_up',
      timestamp: '2026-01-05T09:00:00Z',
      data: { workspace_id: workspaceId, balance: 42, test: true },
      sequence: 1,
    });
    expect(got!.headers['x-svc-signature']).toMatch(/^[0-9a-f]{64}$/);
    const [delivery] = await whenSo(
      () => service.deliveries(workspaceId),
      ([first]) => first?.status === 'delivered',
    );
    expect(delivery).toMatchObject({
      id: fired.verdict === 'sent' && fired.delivery_id,
      event_id: fired.verdict === 'sent' && fired.event_id,
      event_type: 'credit_balance.topped_up',
    });
  });

  it('takes its number among the real ones, without a gap, however many come at once', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await Promise.all([fire(), service.fanOut(delivered(workspaceId)), fire(), fire()]);
    const { rows } = await database.pool.query<{ sequence: number }>(
      'SELECT sequence FROM webhooks.events WHERE workspace_id = $1 ORDER BY sequence',
      [workspaceId],
    );
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4]);
  });

  it('needs an endpoint', async () => {
    expect(await fire()).toEqual({ verdict: 'not_found' });
    const nobody = { workspace_id: asId<WorkspaceId>('nobody'), balance: 1 };
    expect(await service.webhooks.calls.sendTestEvent(nobody)).toEqual({ verdict: 'not_found' });
  });

  it('needs an open one', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await database.pool.query(
      `UPDATE webhooks.endpoints SET status = 'disabled' WHERE workspace_id = $1`,
      [workspaceId],
    );
    expect(await fire()).toEqual({ verdict: 'disabled' });
  });

  it('is not recovered by another endpoint, which real ones of its type are', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    const { id } = await createWebhook(['credit_balance.topped_up']);
    await calls().updateWebhook({ ...own(), id, status: 'disabled' });
    await fire();
    await service.webhooks.fanOut.fanOut([toppedUp()]);
    await calls().updateWebhook({ ...own(), id, status: 'enabled' });
    const since = new Date(service.clock.now() - 60_000).toISOString();
    const begun = await calls().recoverWebhook({ ...own(), id, since, idempotency: null });
    expect(begun).toMatchObject({ recovery: { total: 1 } });
  });
});
