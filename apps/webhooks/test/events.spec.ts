import { describe, expect, it } from '@jest/globals';
import { asId, type EventId, newEventId, newId, type WorkspaceId } from '@watchword/contracts';
import { occurrenceOfPrefix } from '../src/events/occurrence.policy.js';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene();

const DAY_MS = 86_400_000;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const list = (request: { after?: number; limit?: number; type?: string } = {}) =>
  service.webhooks.calls.listEvents({
    workspace_id: workspaceId,
    after: 0,
    limit: 50,
    ...request,
  });

const sequences = (bodies: readonly string[]) =>
  bodies.map((body) => (JSON.parse(body) as { sequence: number }).sequence);

/** Returns an id as it would have been drawn at that time. */
function eventIdAt(moment: number): EventId {
  return asId(`evt_${moment.toString(16).padStart(12, '0')}${newEventId().slice(16)}`);
}

function happenedAt(moment: number) {
  return delivered(workspaceId, {
    event_id: eventIdAt(moment),
    occurred_at: new Date(moment).toISOString(),
  });
}

describe('the list of events', () => {
  it('is the bytes that were delivered, oldest first, page by page without a gap', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await service.fanOut(...upTo(7).map(() => delivered(workspaceId)));
    await service.fanOut(delivered(newId()));
    const received = await whenSo(
      () => receiver.received.map(({ body }) => body.toString('utf8')),
      (bodies) => bodies.length === 7,
    );
    const seen: string[] = [];
    const pages: number[] = [];
    for (let after: number | undefined = 0; after !== undefined;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ after, limit: 3 });
      seen.push(...page.bodies);
      pages.push(page.bodies.length);
      after = page.next_after;
    }
    expect(pages).toEqual([3, 3, 1]);
    expect(sequences(seen)).toEqual(upTo(7));
    expect([...seen].toSorted()).toEqual(received.toSorted());
    expect((await list({ after: 7 })).bodies).toEqual([]);
  });

  it('has no next page when the last one is exactly full', async () => {
    await service.fanOut(...upTo(4).map(() => delivered(workspaceId)));
    const page = await list({ after: 2, limit: 2 });
    expect(sequences(page.bodies)).toEqual([3, 4]);
    expect(page.next_after).toBeUndefined();
  });

  it('is of one type when asked, and keeps the numbers', async () => {
    const types = ['message.sent', 'message.delivered', 'message.sent', 'message.sent'] as const;
    for (const type of types) await service.fanOut(delivered(workspaceId, { type }));
    const first = await list({ type: 'sms.sent', limit: 2 });
    expect(sequences(first.bodies)).toEqual([1, 3]);
    expect(first.next_after).toBe(3);
    const second = await list({ type: 'sms.sent', limit: 2, after: 3 });
    expect(sequences(second.bodies)).toEqual([4]);
    expect(second.next_after).toBeUndefined();
  });

  it('goes on behind ten thousand events of other types', async () => {
    await database.pool.query(
      `INSERT INTO webhooks.events
         (id, workspace_id, sequence, variant_a_type, variant_a_body, occurred_at)
       SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), $1, number,
         CASE WHEN number = 10001 THEN 'otp.failed' ELSE 'otp.sent' END,
         '{"sequence":' || number || '}', $2
       FROM generate_series(1, 10001) AS number`,
      [workspaceId, new Date(service.clock.now())],
    );
    const first = await list({ type: 'otp.failed' });
    expect(first).toEqual({ bodies: [], next_after: 10_000 });
    const second = await list({ type: 'otp.failed', after: first.next_after });
    expect(sequences(second.bodies)).toEqual([10_001]);
    expect(second.next_after).toBeUndefined();
  });

  it('knows of no workspace that is not an id', async () => {
    const request = { workspace_id: asId<WorkspaceId>('nobody'), after: 0, limit: 5 };
    expect(await service.webhooks.calls.listEvents(request)).toEqual({ bodies: [] });
  });
});

describe('retention', () => {
  it('shows and keeps 30 days, and forgets the rest in small bites', async () => {
    const now = service.clock.now();
    const old = upTo(1_200).map(() => happenedAt(now - 30 * DAY_MS - 1_000));
    for (let at = 0; at < old.length; at += 200) await service.fanOut(...old.slice(at, at + 200));
    await service.fanOut(happenedAt(now - 30 * DAY_MS + 60_000), happenedAt(now));
    expect(sequences((await list()).bodies)).toEqual([1_201, 1_202]);
    await service.webhooks.retention.run();
    const { rows } = await database.pool.query<{ sequence: number }>(
      'SELECT sequence FROM webhooks.events WHERE workspace_id = $1 ORDER BY sequence',
      [workspaceId],
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual([1_201, 1_202]);
    await service.fanOut(delivered(workspaceId));
    expect(sequences((await list()).bodies)).toContain(1_203);
  });

  it('deletes old deliveries that went with no partition, and their attempts', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    await service.fanOut(delivered(workspaceId));
    await whenSo(
      () => service.deliveries(workspaceId),
      (found) => found[0]?.status === 'delivered',
    );
    service.clock.advance(30 * DAY_MS + 1_000);
    await service.fanOut(delivered(workspaceId));
    await whenSo(
      () => service.deliveries(workspaceId),
      (found) => found.length === 2 && found.every(({ status }) => status === 'delivered'),
    );
    service.clock.advance(14 * DAY_MS);
    await service.webhooks.retention.run();
    const left = await database.pool.query(
      'SELECT FROM webhooks.deliveries WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(left.rowCount).toBe(1);
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*) AS count FROM webhooks.delivery_attempts AS attempt
       WHERE NOT EXISTS (
         SELECT FROM webhooks.deliveries AS delivery WHERE delivery.id = attempt.delivery_id
       )`,
    );
    expect(rows[0]!.count).toBe(0);
  });
});

describe('events of prefixes', () => {
  it('are delivered to endpoints that asked for them', async () => {
    await service.putEndpoint(workspaceId, receiver.origin, ['prefix.blocked']);
    const event = {
      event_id: newEventId(),
      workspace_id: workspaceId,
      prefix: '234803',
      otp_count: 40,
      verified_count: 3,
      occurred_at: '2026-01-05T09:00:00.500Z',
    };
    const throttled = { ...event, type: 'prefix.throttled', ends_at: '2026-01-05T10:00:00.500Z' };
    const blocked = { ...event, type: 'prefix.blocked', ends_at: null, event_id: newEventId() };
    await service.webhooks.fanOut.fanOut([
      occurrenceOfPrefix(throttled as Parameters<typeof occurrenceOfPrefix>[0]),
      occurrenceOfPrefix(blocked as Parameters<typeof occurrenceOfPrefix>[0]),
    ]);
    const bodies = await whenSo(
      () => receiver.received.map(({ body }) => JSON.parse(body.toString('utf8')) as object),
      (received) => received.length === 1,
    );
    expect(bodies[0]).toEqual({
      event: 'prefix.blocked',
      timestamp: '2026-01-05T09:00:00Z',
      data: { workspace_id: workspaceId, prefix: '234803', otp_count: 40, verified_count: 3 },
      sequence: 2,
    });
    expect((await list()).bodies).toHaveLength(2);
  });
});
