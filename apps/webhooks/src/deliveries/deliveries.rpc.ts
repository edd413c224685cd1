import {
  ID_POSITION,
  isUuid,
  ListCursor,
  type WebhookDelivery,
  type WebhooksCalls,
} from '@watchword/contracts';
import type { DeliveryListStore, DeliveryRow } from './delivery-list.store.js';

const deliveryIds = new ListCursor('delivery', ID_POSITION);

export class DeliveriesRpc {
  constructor(private readonly deliveries: DeliveryListStore) {}

  listDeliveries: WebhooksCalls['listDeliveries'] = async (request) => {
    const { workspace_id: workspaceId, limit, cursor } = request;
    const before = cursor === undefined ? null : deliveryIds.read(cursor);
    if (before === undefined) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    // One more than asked for tells whether there is a next page.
    const rows = await this.deliveries.list(workspaceId, before, limit + 1);
    const shown = rows.slice(0, limit);
    const data = shown.map(toWebhookDelivery);
    return rows.length > limit
      ? { data, next_cursor: deliveryIds.after(shown.at(-1)!.id) }
      : { data };
  };
}

function toWebhookDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event_id: row.eventId,
    event_type: row.eventType,
    endpoint_id: row.endpointId,
    url: row.url,
    status: row.status,
    attempt_count: row.attemptCount,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    attempts: row.attempts.map((attempt) => ({
      ...attempt,
      attempted_at: new Date(attempt.attempted_at).toISOString(),
    })),
  };
}
