import { describe, expect, it } from '@jest/globals';
import { asId, newId, type WorkspaceId } from '@watchword/contracts';
import { openScene, receiver, reopen, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene({ allowLoopback: false });

const url = 'https://hooks.example.com/watchword?token=1';
const put = (wanted: string, events: string[] | null = null) =>
  service.webhooks.calls.putWorkspaceEndpoint({ workspace_id: workspaceId, url: wanted, events });

describe('the endpoint of a workspace', () => {
  it('is made once and then changed, and keeps its id and secret', async () => {
    const first = await service.putEndpoint(workspaceId, url);
    expect(first).toMatchObject({
      url,
      status: 'enabled',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      events: [
        'otp.sent',
        'otp.failed',
        'sms.delivered',
        'sms.failed',
        'sms.blocked',
        'credit_balance.topped_up',
      ],
      created_at: '2026-01-05T09:00:00.000Z',
      updated_at: '2026-01-05T09:00:00.000Z',
    });
    service.clock.advance(1_000);
    const other = `${url}&v=2`;
    const second = await service.putEndpoint(workspaceId, other, ['otp.sent', 'otp.sent']);
    expect(second).toEqual({
      ...first,
      url: other,
      events: ['otp.sent'],
      updated_at: '2026-01-05T09:00:01.000Z',
    });
    const { endpoint } = await service.webhooks.calls.getWorkspaceEndpoint({
      workspace_id: workspaceId,
    });
    expect(endpoint).toEqual(second);
  });

  it('is one, also when it is made many times at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => service.putEndpoint(workspaceId, url)),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
  });

  it('is refused with the field that is to blame', async () => {
    for (const bad of ['http://hooks.example.com/', 'https://127.0.0.1/', 'nonsense']) {
      expect(await put(bad)).toMatchObject({ verdict: 'refused', field: 'url' });
    }
    expect(await put('nonsense')).toMatchObject({
      message: 'This is not a URL.',
      message_fr: 'Ce n’est pas une URL.',
    });
    for (const bad of [['otp.sent', 'otp.unknown'], ['*'], []]) {
      expect(await put(url, bad)).toMatchObject({ verdict: 'refused', field: 'events' });
    }
    const { calls } = service.webhooks;
    expect(await calls.getWorkspaceEndpoint({ workspace_id: workspaceId })).toEqual({
      endpoint: null,
    });
  });

  it('is deleted once, and a new one is another', async () => {
    const { calls } = service.webhooks;
    const first = await service.putEndpoint(workspaceId, url);
    expect(await calls.deleteWorkspaceEndpoint({ workspace_id: workspaceId })).toEqual({
      deleted: true,
    });
    expect(await calls.deleteWorkspaceEndpoint({ workspace_id: workspaceId })).toEqual({
      deleted: false,
    });
    expect(await calls.rotateWorkspaceSecret({ workspace_id: workspaceId })).toEqual({
      verdict: 'not_found',
    });
    const second = await service.putEndpoint(workspaceId, url);
    expect(second.id).not.toBe(first.id);
    expect(second.secret).not.toBe(first.secret);
  });

  it('is not found under what is no id', async () => {
    const { calls } = service.webhooks;
    const nobody = { workspace_id: asId<WorkspaceId>('nobody') };
    expect(await calls.getWorkspaceEndpoint(nobody)).toEqual({ endpoint: null });
    expect(await calls.deleteWorkspaceEndpoint(nobody)).toEqual({ deleted: false });
    expect(await calls.rotateWorkspaceSecret(nobody)).toEqual({ verdict: 'not_found' });
    expect(await calls.listDeliveries({ ...nobody, limit: 10 })).toEqual({ data: [] });
  });
});

describe('the list of deliveries', () => {
  it('has pages, newest first, and refuses foreign cursors', async () => {
    await reopen();
    await service.putEndpoint(workspaceId, receiver.origin);
    const events = Array.from({ length: 7 }, () => delivered(workspaceId));
    for (const event of events) {
      service.clock.advance(10);
      await service.fanOut(event);
    }
    await whenSo(
      () => receiver.received.length,
      (count) => count === 7,
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await service.webhooks.calls.listDeliveries({
        workspace_id: workspaceId,
        limit: 3,
        cursor,
      });
      if (!('data' in page)) throw new Error(page.verdict);
      seen.push(...page.data.map((delivery) => delivery.event_id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(events.map((event) => event.event_id).toReversed());
    for (const bad of ['x', Buffer.from('entry:1').toString('base64url')]) {
      expect(
        await service.webhooks.calls.listDeliveries({
          workspace_id: workspaceId,
          limit: 3,
          cursor: bad,
        }),
      ).toEqual({ verdict: 'bad_cursor' });
    }
    const others = { workspace_id: newId(), limit: 3 };
    expect(await service.webhooks.calls.listDeliveries(others)).toEqual({ data: [] });
  });
});
