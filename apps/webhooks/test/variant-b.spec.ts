import { describe, expect, it } from '@jest/globals';
import { type IdempotencyClaim, type MessageDetails, newId } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  ATTEMPT_MS,
  calls,
  createWebhook,
  database,
  deliveriesOf,
  openScene,
  own,
  service,
  receiver,
  reopen,
  workspaceId,
} from './scene.kit.js';
import { delivered, snapshot, whenSo } from './webhooks.kit.js';

openScene({ deadlineMs: ATTEMPT_MS });

const keyed = (key: string, fingerprint = 'f'): IdempotencyClaim => ({
  scope: 'live POST /v1/webhooks',
  key,
  fingerprint,
});

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
  it('is created once for each key, shows its secret then, and again to a replay', async () => {
    const created = await createWebhook(['sms.sent', 'sms.sent'], keyed('one'));
    expect(created).toEqual({
      id: expect.any(String),
      url: `${receiver.origin}/hook`,
      events: ['sms.sent'],
      description: 'Orders',
      status: 'enabled',
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: '2026-01-05T09:00:00.000Z',
      updated_at: '2026-01-05T09:00:00.000Z',
    });
    expect(await createWebhook(['sms.sent'], keyed('one'))).toEqual(created);
    const { secret: _, ...shown } = created;
    expect(await calls().listWebhooks(own())).toEqual({ data: [shown] });
    expect(await calls().getWebhook({ ...own(), id: created.id })).toEqual({ webhook: shown });
    const other = { ...own(), url: created.url, events: ['*'], description: null };
    const conflicting = { ...other, idempotency: keyed('one', 'g') };
    expect(await calls().createWebhook(conflicting)).toEqual({ verdict: 'idempotency_conflict' });
    const { rows } = await database.pool.query<{ answer: Buffer }>(
      'SELECT answer FROM webhooks.idempotency_keys WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(rows[0]!.answer.includes(created.secret)).toBe(false);
    const foreign = { workspace_id: newId(), id: created.id };
    expect(await calls().getWebhook(foreign)).toEqual({ webhook: null });
    expect(await calls().deleteWebhook(foreign)).toEqual({ deleted: false });
  });

  it('decisions 25: is refused as the 21st, also when they are created at once', async () => {
    const wanted = { ...own(), url: receiver.origin, events: ['*'], description: null };
    const made = await Promise.all(
      Array.from({ length: 25 }, () => calls().createWebhook({ ...wanted, idempotency: null })),
    );
    expect(made.filter((one) => 'webhook' in one)).toHaveLength(20);
    expect(made.filter((one) => 'verdict' in one && one.verdict === 'too_many')).toHaveLength(5);
  });

  it('decisions 21: gets messages of both families in variant B’s words, as their GET shows them', async () => {
    await createWebhook(['*']);
    await service.putEndpoint(workspaceId, `${receiver.origin}/a`, ['sms.blocked', 'sms.sent']);
    const queued = snapshot(workspaceId, { family: 'b', state: 'accepted', sender_id: 'Shop' });
    const blocked = snapshot(workspaceId, { state: 'blocked', reason: 'antispam_blocked' });
    await service.fanOut(
      delivered(workspaceId, { type: 'message.queued', message: queued, details }),
      delivered(workspaceId, {
        type: 'message.blocked',
        message: { ...blocked, test_mode: true },
        details,
      }),
      delivered(workspaceId, {
        type: 'message.queued',
        message: snapshot(workspaceId, { state: 'accepted' }),
      }),
    );
    await arrived(3);
    const ofB = bodies().filter(({ type }) => type !== undefined);
    const [first, second] = ofB.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
    expect(Object.keys(first!)).toEqual(['id', 'type', 'created_at', 'data', 'sequence']);
    expect(first).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'sms.queued',
      created_at: '2026-01-05T09:00:00.987Z',
      sequence: 1,
      data: {
        id: queued.id,
        sms_id: queued.id,
        status: 'queued',
        from: 'Shop',
        to: queued.destination,
        cost: { amount_kobo: 500, currency: 'NGN' },
        test_mode: false,
      },
    });
    expect(second).toMatchObject({
      type: 'sms.rejected',
      sequence: 2,
      data: { status: 'rejected', test_mode: true },
    });
    expect(bodies().filter(({ event }) => event !== undefined)).toMatchObject([
      { event: 'sms.blocked', sequence: 2 },
    ]);
  });

  it('decisions 25: gets nothing while it is disabled, what was pending fails, and recover brings it back', async () => {
    const { id } = await createWebhook(['sms.delivered']);
    receiver.respond = answer(500);
    const missed = delivered(workspaceId, { details });
    await service.fanOut(missed);
    await whenSo(
      () => deliveriesOf(id),
      ([first]) => first?.attempts.length === 1,
    );
    const disabled = await calls().updateWebhook({ ...own(), id, status: 'disabled' });
    expect(disabled).toMatchObject({
      webhook: { status: 'disabled', disabled_reason: 'requested' },
    });
    expect(await deliveriesOf(id, { status: 'failed' })).toHaveLength(1);
    const during = delivered(workspaceId, { details });
    await service.fanOut(during, delivered(workspaceId, { type: 'message.sent', details }));
    expect(await deliveriesOf(id)).toHaveLength(1);
    const since = new Date(service.clock.now() - 60_000).toISOString();
    const recover = { ...own(), id, since, idempotency: keyed('again') };
    expect(await calls().recoverWebhook(recover)).toEqual({ verdict: 'disabled' });
    const [failed] = await deliveriesOf(id);
    const replay = { ...own(), id: failed!.id, idempotency: null };
    expect(await calls().replayWebhookDelivery(replay)).toEqual({ verdict: 'disabled' });

    receiver.respond = answer(200);
    await calls().updateWebhook({ ...own(), id, status: 'enabled' });
    const begun = await calls().recoverWebhook(recover);
    expect(begun).toMatchObject({
      replayed: false,
      recovery: { status: 'running', total: 2, done: 0 },
    });
    expect(await calls().recoverWebhook(recover)).toMatchObject({ replayed: true });
    expect(await calls().recoverWebhook({ ...recover, idempotency: null })).toEqual({
      verdict: 'running',
    });
    const before = receiver.received.length;
    await service.webhooks.recovery.run();
    await arrived(before + 2);
    const recoveryId = (begun as { recovery: { id: string } }).recovery.id;
    const progress = { ...own(), id, recovery_id: recoveryId };
    expect(await calls().getWebhookRecovery(progress)).toMatchObject({
      recovery: { status: 'done', total: 2, done: 2 },
    });
    const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
    expect(ids.toSorted()).toEqual([missed.event_id, during.event_id].toSorted());
    const made = receiver.received.filter(
      ({ headers }) => headers['webhook-id'] === missed.event_id,
    );
    expect(new Set(made.map(({ body }) => body.toString('utf8'))).size).toBe(1);
    const again = (await deliveriesOf(id)).find(({ replay_of: original }) => original !== null);
    expect(again).toMatchObject({ replay_of: failed!.id, event_id: missed.event_id });
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
