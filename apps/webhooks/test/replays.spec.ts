import { describe, expect, it } from '@jest/globals';
import type { IdempotencyClaim } from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  calls,
  createWebhook,
  deliveriesOf,
  openScene,
  own,
  receiver,
  service,
} from './scene.kit.js';
import { whenSo } from './webhooks.kit.js';

const DAY_MS = 86_400_000;

openScene();

const keyed = (fingerprint = 'f'): IdempotencyClaim => ({ scope: 'POST', key: 'one', fingerprint });

describe('the replay of', () => {
  it('a test event comes before checks of the endpoint', async () => {
    const { id } = await createWebhook(['sms.sent']);
    const request = { ...own(), id, type: null, idempotency: keyed() };
    const first = await calls().testWebhook(request);
    expect(first).toMatchObject({ replayed: false });
    await calls().deleteWebhook({ ...own(), id });
    expect(await calls().testWebhook(request)).toEqual({ ...first, replayed: true });
    expect(receiver.received).toHaveLength(1);
    const other = { ...request, idempotency: keyed('g') };
    expect(await calls().testWebhook(other)).toEqual({ verdict: 'idempotency_conflict' });
    const unkeyed = { ...request, idempotency: null };
    expect(await calls().testWebhook(unkeyed)).toEqual({ verdict: 'not_found' });
  });

  it('a recovery comes before the check of its time', async () => {
    const { id } = await createWebhook(['sms.sent']);
    const since = new Date(service.clock.now() - 29.5 * DAY_MS).toISOString();
    const request = { ...own(), id, since, idempotency: keyed() };
    const first = await calls().recoverWebhook(request);
    expect(first).toMatchObject({ replayed: false });
    service.clock.advance(0.75 * DAY_MS);
    expect(await calls().recoverWebhook(request)).toEqual({ ...first, replayed: true });
    const unkeyed = { ...request, idempotency: null };
    expect(await calls().recoverWebhook(unkeyed)).toEqual({ verdict: 'too_old' });
  });
});

describe('the delivery of a test event', () => {
  it('is made again once, without retries, as the test was', async () => {
    const { id } = await createWebhook(['sms.sent']);
    receiver.respond = answer(500);
    const tested = await calls().testWebhook({ ...own(), id, type: null, idempotency: null });
    if (!('delivery' in tested)) throw new Error(tested.verdict);
    const replay = { ...own(), id: tested.delivery.id, idempotency: null };
    expect(await calls().replayWebhookDelivery(replay)).toMatchObject({ replayed: false });
    const again = await whenSo(
      async () => (await deliveriesOf(id)).find((one) => one.replay_of !== null),
      (one) => one?.attempts.length === 1,
    );
    expect(again).toMatchObject({ status: 'failed', next_attempt_at: null });
    const [first, second] = receiver.received;
    expect(second!.body).toEqual(first!.body);
  });
});
