import { type Queryable, statement } from '@watchword/postgres';

export interface DeliveryRow {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attemptCount: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  attempts: AttemptRow[];
}

/** As PostgreSQL puts it into JSON. */
export interface AttemptRow {
  attempted_at: string;
  status_code: number | null;
  latency_ms: number;
  response_body: string | null;
  error: string | null;
}

/** Newest first, from an id on. The URL is the endpoint's present one. */
const list = statement(
  'webhooks.list-deliveries',
  `SELECT delivery.id, delivery.event_id AS "eventId", event.variant_a_type AS "eventType",
     delivery.endpoint_id AS "endpointId", endpoint.url, delivery.status,
     delivery.attempt_count AS "attemptCount", delivery.next_attempt_at AS "nextAttemptAt",
     delivery.created_at AS "createdAt", coalesce(made.attempts, '[]') AS attempts
   FROM (
     SELECT * FROM webhooks.deliveries
     WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3
   ) AS delivery
   JOIN webhooks.events AS event ON event.id = delivery.event_id
   JOIN webhooks.endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
   CROSS JOIN LATERAL (
     SELECT json_agg(json_build_object(
       'attempted_at', attempted_at, 'status_code', status_code, 'latency_ms', latency_ms,
       'response_body', response_body, 'error', error
     ) ORDER BY number) AS attempts
     FROM webhooks.delivery_attempts AS attempt WHERE attempt.delivery_id = delivery.id
   ) AS made
   ORDER BY delivery.id DESC`,
);

export class DeliveryListStore {
  constructor(private readonly database: Queryable) {}

  async list(workspaceId: string, before: string | null, limit: number): Promise<DeliveryRow[]> {
    const values = [workspaceId, before, limit];
    return (await this.database.query<DeliveryRow>(list, values)).rows;
  }
}
