import { Inject, Injectable } from '@nestjs/common';
import { crashPoint } from '@watchword/observability';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { EndpointId } from '@watchword/contracts';

const findClosing = statement(
  'webhooks.find-closing-endpoints',
  'SELECT id FROM webhooks.endpoints WHERE closing ORDER BY id LIMIT $1',
);

/**
 * Leased deliveries are left out: their attempt is running, and its result decides. The endpoint's row
 * is locked, so an endpoint that was enabled meanwhile keeps its deliveries.
 */
const failPending = statement(
  'webhooks.fail-pending-deliveries-of-closed-endpoint',
  `WITH closed AS (
     SELECT FROM webhooks.endpoints AS endpoint
     WHERE endpoint.id = $1
       AND (endpoint.status = 'disabled' OR endpoint.deleted_at IS NOT NULL)
     FOR SHARE
   ), pending AS (
     SELECT delivery.workspace_id, delivery.id FROM webhooks.deliveries AS delivery
     WHERE EXISTS (SELECT FROM closed)
       AND delivery.endpoint_id = $1 AND delivery.due_at IS NOT NULL
       AND delivery.due_at <= delivery.next_attempt_at
     LIMIT $2 FOR UPDATE SKIP LOCKED
   )
   UPDATE webhooks.deliveries AS delivery
   SET status = 'failed', due_at = NULL, next_attempt_at = NULL
   FROM pending
   WHERE delivery.workspace_id = pending.workspace_id AND delivery.id = pending.id`,
);

/** An endpoint that was enabled and disabled again meanwhile can have deliveries left. */
const endClosing = statement(
  'webhooks.end-closing-without-pending',
  `UPDATE webhooks.endpoints AS endpoint SET closing = false
   WHERE id = $1 AND closing
     AND (status = 'enabled' AND deleted_at IS NULL OR NOT EXISTS (
       SELECT FROM webhooks.deliveries AS delivery
       WHERE delivery.endpoint_id = $1 AND delivery.due_at IS NOT NULL
         AND delivery.due_at <= delivery.next_attempt_at))`,
);

/** Fails the pending deliveries of a disabled or deleted endpoint, a chunk at a time. */
@Injectable()
export class ClosingStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async closing(max: number): Promise<EndpointId[]> {
    const { rows } = await this.database.query<{ id: EndpointId }>(findClosing, [max]);
    return rows.map(({ id }) => id);
  }

  /** Returns how many failed. Does nothing at an endpoint that is enabled. */
  async failPending(endpointId: EndpointId, max: number): Promise<number> {
    crashPoint('webhooks.close-endpoint.before-commit');
    const { rowCount } = await this.database.query(failPending, [endpointId, max]);
    crashPoint('webhooks.close-endpoint.after-commit');
    return rowCount;
  }

  async end(endpointId: EndpointId): Promise<void> {
    await this.database.query(endClosing, [endpointId]);
  }
}
