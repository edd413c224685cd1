import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId, routes } from '@watchword/contracts';
import { occurrenceOfCredit } from '../src/events/occurrence.policy.js';
import {
  ask,
  createWebhook,
  database,
  openScene,
  receiver,
  service,
  updateWebhook,
  workspaceId,
} from './scene.kit.js';
import { delivered } from './webhooks.kit.js';

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

const fire = () => ask(routes.testOwnWebhook, { balance: 42 });

describe('a test event', () => {
  it('takes its number among the real ones, without a gap, however many come at once', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await Promise.all([fire(), service.fanOut(delivered(workspaceId)), fire(), fire()]);
    const { rows } = await database.pool.query<{ sequence: number }>(
      'SELECT sequence FROM webhooks.events WHERE workspace_id = $1 ORDER BY sequence',
      [workspaceId],
    );
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4]);
  });

  it('is not recovered by another endpoint, which real ones of its type are', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    const { id } = await createWebhook(['credit_balance.topped_up']);
    await updateWebhook(id, { status: 'disabled' });
    await fire();
    await service.webhooks.fanOut.fanOut([toppedUp()]);
    await updateWebhook(id, { status: 'enabled' });
    const since = new Date(service.clock.now() - 60_000).toISOString();
    const begun = await ask(routes.recoverWebhook, { id, body: { since } });
    expect(begun).toMatchObject({ total: 1 });
  });
});
