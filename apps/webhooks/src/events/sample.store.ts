import type { DeliveryId, EndpointId, EventId, WorkspaceId } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';

/** A sample that was posted, and its result. */
export interface PostedSample {
  workspaceId: WorkspaceId;
  endpointId: EndpointId;
  eventId: EventId;
  deliveryId: DeliveryId;
  type: string;
  body: string;
  at: Date;
  status: 'delivered' | 'failed';
  statusCode: number | null;
  latencyMs: number;
  responseBody: string | null;
  error: string | null;
}

/** Samples have no sequence and are in no list of events. Their delivery is like any other. */
const insert = statement(
  'webhooks.insert-posted-sample',
  `WITH event AS (
     INSERT INTO webhooks.events (
       id, workspace_id, sequence, family, test_mode, variant_b_type, variant_b_body, occurred_at
     ) VALUES ($3, $1, 0, 'b', true, $5, $6, $7)
   ), attempt AS (
     INSERT INTO webhooks.delivery_attempts (
       delivery_id, number, attempted_at, status_code, latency_ms, response_body, error
     ) VALUES ($4, 1, $7, $9, $10, $11, $12)
   )
   INSERT INTO webhooks.deliveries (
     workspace_id, id, endpoint_id, event_id, status, attempt_count, created_at
   ) VALUES ($1, $4, $2, $3, $8, 1, $7)`,
);

/** Use it in a transaction. */
export class SampleStore {
  constructor(private readonly transaction: Queryable) {}

  async insert(sample: PostedSample): Promise<void> {
    const { workspaceId, endpointId, eventId, deliveryId, type, body, at, status } = sample;
    const { statusCode, latencyMs, responseBody, error } = sample;
    crashPoint('webhooks.sample.before-insert');
    await this.transaction.query(insert, [
      workspaceId,
      endpointId,
      eventId,
      deliveryId,
      type,
      body,
      at,
      status,
      statusCode,
      latencyMs,
      responseBody,
      error,
    ]);
    crashPoint('webhooks.sample.after-insert');
  }
}
