import { describe, expect, it } from '@jest/globals';
import { type MessageDetails } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  ATTEMPT_MS,
  calls,
  createWebhook,
  database,
  openScene,
  own,
  service,
  receiver,
  reopen,
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
    const wanted = { ...own(), url: receiver.origin, events: ['*'], description: null };
    const made = await Promise.all(
      Array.from({ length: 25 }, () => calls().createWebhook({ ...wanted, idempotency: null })),
    );
    expect(made.filter((one) => 'webhook' in one)).toHaveLength(20);
    expect(made.filter((one) => 'verdict' in one && one.verdict === 'too_many')).toHaveLength(5);
  });

  it('recovers no event of a type that it did not hear then', async () => {
    const sent = () => delivered(workspaceId, { type: 'message.sent', details });
    const { id } = await createWebhook(['sms.delivered']);
    await service.fanOut(sent());
    await calls().updateWebhook({ ...own(), id, status: 'disabled' });
    await service.fanOut(sent());
    await calls().updateWebhook({ ...own(), id, events: ['sms.sent'] });
    const missed = sent();
    await service.fanOut(missed, delivered(workspaceId, { details }));
    await calls().updateWebhook({ ...own(), id, status: 'enabled', events: ['*'] });
    const since = new Date(service.clock.now() - 60_000).toISOString();
    const begun = await calls().recoverWebhook({ ...own(), id, since, idempotency: null });
    expect(begun).toMatchObject({ recovery: { total: 1 } });
    await service.webhooks.recovery.run();
    await arrived(1);
    expect(receiver.received[0]!.headers['webhook-id']).toBe(missed.event_id);
  });

  it('decisions 25: is tried with a sample, once, also while it is disabled', async () => {
    const { id } = await createWebhook(['sms.failed', 'sms.sent']);
    await calls().updateWebhook({ ...own(), id, status: 'disabled' });
    const tried = await calls().testWebhook({ ...own(), id, type: null, idempotency: null });
    expect(tried).toMatchObject({
      delivery: { status: 'delivered', event_type: 'sms.failed', webhook_id: id },
    });
    expect(bodies()[0]).toMatchObject({
      type: 'sms.failed',
      sequence: 0,
      data: { test_mode: true, status: 'failed' },
    });
    receiver.respond = answer(500);
    const failed = await calls().testWebhook({ ...own(), id, type: '*', idempotency: null });
    expect(failed).toMatchObject({ verdict: 'refused', field: 'type' });
    expect(
      await calls().testWebhook({ ...own(), id, type: 'otp.sent', idempotency: null }),
    ).toMatchObject({ delivery: { status: 'failed', attempts: [{ status_code: 500 }] } });
    const ofCredit = { ...own(), id, type: 'credit_balance.low', idempotency: null };
    await calls().testWebhook(ofCredit);
    expect(bodies().at(-1)).toMatchObject({
      type: 'credit_balance.low',
      data: { ...own(), balance: 0, test: true },
    });
    const page = await calls().listEvents({ ...own(), after: 0, limit: 50 });
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
