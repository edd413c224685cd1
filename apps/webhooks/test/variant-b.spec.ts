import { describe, expect, it } from '@jest/globals';
import { type MessageDetails, routes } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  ATTEMPT_MS,
  ask,
  calls,
  createWebhook,
  database,
  openScene,
  own,
  service,
  receiver,
  refusedAs,
  reopen,
  updateWebhook,
  workspaceId,
} from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene({ deadlineMs: ATTEMPT_MS });

const details: MessageDetails = {
  updated_at: '2026-01-05T09:00:00.000Z',
  failed_at: null,
  original_body: null,
  rewritten: false,
  otp: null,
  timeline: [{ status: 'queued', timestamp: '2026-01-05T09:00:00.000Z' }],
  provider_attempts: [],
  cost: { amount_kobo: 500, currency: 'NGN' },
};

const bodies = () =>
  receiver.received.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>);

const arrived = (count: number) => whenSo(bodies, (all) => all.length === count);

describe('an endpoint of variant B', () => {
  it('decisions 25: is refused as the 21st, also when they are created at once', async () => {
    const creations = Array.from({ length: 25 }, () => createWebhook(['*']));
    const made = await Promise.allSettled(creations);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refused = made.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual(Array(5).fill(refusedAs('conflict')));
  });

  it('recovers no event of a type that it did not hear then', async () => {
    const sent = () => delivered(workspaceId, { type: 'message.sent', details });
    const { id } = await createWebhook(['sms.delivered']);
    await service.fanOut(sent());
    await updateWebhook(id, { status: 'disabled' });
    await service.fanOut(sent());
    await updateWebhook(id, { events: ['sms.sent'] });
    const missed = sent();
    await service.fanOut(missed, delivered(workspaceId, { details }));
    await updateWebhook(id, { status: 'enabled', events: ['*'] });
    const since = new Date(service.clock.now() - 60_000).toISOString();
    const begun = await ask(routes.recoverWebhook, { id, body: { since } });
    expect(begun).toMatchObject({ total: 1 });
    await service.webhooks.recovery.run();
    await arrived(1);
    expect(receiver.received[0]!.headers['webhook-id']).toBe(missed.event_id);
  });

  it('decisions 25: is tried with a sample, once, also while it is disabled', async () => {
    const { id } = await createWebhook(['sms.failed', 'sms.sent']);
    await updateWebhook(id, { status: 'disabled' });
    const test = (body: object) => ask(routes.testWebhook, { id, body });
    const tried = await test({});
    expect(tried).toMatchObject({
      ...{ status: 'delivered', event_type: 'sms.failed', webhook_id: id },
    });
    expect(bodies()[0]).toMatchObject({
      type: 'sms.failed',
      sequence: 0,
      data: { test_mode: true, status: 'failed' },
    });
    receiver.respond = answer(500);
    await expect(test({ type: '*' })).rejects.toEqual(refusedAs('validation_error', 'type'));
    const failed = { status: 'failed', attempts: [{ status_code: 500 }] };
    expect(await test({ type: 'otp.sent' })).toMatchObject(failed);
    await test({ type: 'credit_balance.low' });
    expect(bodies().at(-1)).toMatchObject({
      type: 'credit_balance.low',
      data: { workspace_id: own().workspace_id, balance: 0, test: true },
    });
    const page = await calls().readEvents({ ...own(), after: 0, limit: 50 });
    expect(page.bodies).toEqual([]);
  });
});

describe('the pace of an endpoint', () => {
  it('survives a restart', async () => {
    const { id } = await createWebhook(['*']);
    receiver.respond = () => undefined;
    await reopen({ deadlineMs: 600 });
    await service.fanOut(delivered(workspaceId, { details }));
    const pace = async () => {
      const { rows } = await database.pool.query<{ pace: string }>(
        'SELECT pace FROM webhooks.endpoints WHERE id = $1',
        [id],
      );
      return rows[0]!.pace;
    };
    await whenSo(pace, (value) => value === 'slow');
    await reopen();
    receiver.respond = answer(200);
    await service.pass(60_000);
    await whenSo(pace, (value) => value === 'fast');
  });
});
