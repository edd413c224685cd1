import { describe, expect, it } from '@jest/globals';
import {
  asId,
  type EndpointId,
  idFloor,
  newEventId,
  type Page,
  routes,
  type WebhookDeliveryRecord,
} from '@watchword/contracts';
import { answer } from './receiver.kit.js';
import {
  ask,
  createWebhook,
  database,
  deliveriesOf,
  openScene,
  refusedAs,
  service,
  receiver,
  workspaceId,
} from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

type Deliveries = Page<WebhookDeliveryRecord>;

openScene();

describe('an event that is too old to be kept', () => {
  const eventAt = (ms: number) =>
    delivered(workspaceId, {
      event_id: asId(
        `evt_${idFloor(ms).replaceAll('-', '').slice(0, 12)}${newEventId().slice(16)}`,
      ),
      occurred_at: new Date(ms).toISOString(),
    });

  /** Two events of today, then one that is 30 days old in an hour. */
  async function withAgedEvent(id: EndpointId) {
    const now = service.clock.now();
    const aged = eventAt(now - 30 * DAY_MS + HOUR_MS);
    for (const event of [eventAt(now), eventAt(now), aged]) {
      await service.fanOut(event);
      service.clock.advance(1);
    }
    await whenSo(
      () => deliveriesOf(id),
      (all) => all.length === 3 && all.every(({ attempts }) => attempts.length === 1),
    );
    const all = await deliveriesOf(id);
    service.clock.advance(2 * HOUR_MS);
    await service.webhooks.retention.run();
    return { all, old: all.find((one) => one.event_id === aged.event_id)! };
  }

  it('decisions 21: ends no list before the deliveries that are still there, and is not replayed', async () => {
    const { id } = await createWebhook(['sms.delivered']);
    const { all, old } = await withAgedEvent(id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 1, ...(cursor !== undefined && { cursor }) };
      const page: Deliveries = await ask(routes.listWebhookDeliveries, { id, query });
      seen.push(...page.data.map((one) => one.id));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    const kept = all.map((one) => one.id).filter((one) => one !== old.id);
    expect(seen).toEqual(kept);
    const first = await ask(routes.listOwnWebhookDeliveries, { query: { limit: 1 } });
    expect(first).toMatchObject({ data: [{ id: kept[0] }], next_cursor: expect.any(String) });
    const replay = ask(routes.replayWebhookDelivery, { id: old.id });
    await expect(replay).rejects.toEqual(refusedAs('not_found'));
  });

  it('decisions 21: fails what waits for a retry', async () => {
    const { id } = await createWebhook(['sms.delivered']);
    receiver.respond = answer(500);
    const { old } = await withAgedEvent(id);
    await service.scheduler.sweep();
    await whenSo(
      async () => {
        const { rows } = await database.pool.query<{ status: string }>(
          'SELECT status FROM webhooks.deliveries WHERE workspace_id = $1 AND id = $2',
          [workspaceId, old.id],
        );
        return rows[0]!.status;
      },
      (status) => status === 'failed',
    );
  });
});
