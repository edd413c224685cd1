import { describe, expect, it } from '@jest/globals';
import type { IdempotencyClaim } from '@watchword/contracts';
import { calls, createWebhook, openScene, own, receiver, service } from './scene.kit.js';

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
