import {
  type DeliveryId,
  type EndpointId,
  type EventId,
  newId,
  type WorkspaceId,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

/** A delivery may outlive its event by a week; without it there is nothing to repeat. */
const find = statement(
  'webhooks.find-delivery-to-replay',
  `SELECT endpoint.status, endpoint.untested, delivery.event_id AS "eventId", delivery.endpoint_id AS "endpointId"
   FROM webhooks.deliveries AS delivery
   JOIN webhooks.events AS event ON event.id = delivery.event_id
   JOIN webhooks.endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
   WHERE delivery.workspace_id = $1 AND delivery.id = $2 AND endpoint.deleted_at IS NULL
     AND (NOT $3::boolean OR event.test_mode)
   FOR SHARE OF endpoint`,
);

const insert = statement(
  'webhooks.insert-replay',
  `INSERT INTO webhooks.deliveries (
     workspace_id, id, endpoint_id, event_id, status, attempt_count, next_attempt_at, due_at,
     replay_of, created_at
   ) VALUES ($1, $2, $3, $4, 'pending', 0, $7, $7, $5, $6)`,
);

interface Found {
  status: 'enabled' | 'disabled';
  untested: boolean;
  eventId: EventId;
  endpointId: EndpointId;
}

/** Delivers an event again to the same endpoint. Use it in a transaction. */
export class ReplayStore {
  constructor(private readonly transaction: Queryable) {}

  async replay(
    workspaceId: WorkspaceId,
    deliveryId: DeliveryId,
    testModeOnly: boolean,
    at: Date,
  ): Promise<{ id: DeliveryId } | 'not_found' | 'disabled'> {
    const values = [workspaceId, deliveryId, testModeOnly];
    const { rows } = await this.transaction.query<Found>(find, values);
    const found = rows[0];
    if (!found) return 'not_found';
    if (found.status === 'disabled') return 'disabled';
    const id = newId();
    const { endpointId, eventId, untested } = found;
    const dueAt = untested ? 'infinity' : at;
    crashPoint('webhooks.replay.before-insert');
    const ids = [workspaceId, id, endpointId, eventId, deliveryId];
    await this.transaction.query(insert, [...ids, at, dueAt]);
    crashPoint('webhooks.replay.after-insert');
    return { id };
  }
}
