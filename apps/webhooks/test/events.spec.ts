import { describe, expect, it } from '@jest/globals';
import { asId, type EventId, newEventId } from '@watchword/contracts';
import { database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene();

const DAY_MS = 86_400_000;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const list = (request: { after?: number; limit?: number; type?: string } = {}) =>
  service.webhooks.calls.readEvents({
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
});

describe('retention', () => {
  it('decisions 21: shows and keeps 30 days, and forgets the rest in small bites', async () => {
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
