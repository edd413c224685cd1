import type { WebhookDelivery, WebhookDeliveryRecord } from '@watchword/contracts';
import type { DeliveryRow } from './delivery-row.js';

/** Returns a delivery as operators and the dashboard see it. */
export function toWebhookDelivery(row: DeliveryRow): WebhookDelivery {
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
    attempts: attemptsOf(row),
  };
}

/** Returns a delivery as variant B shows it. */
export function toDeliveryRecord(row: DeliveryRow): WebhookDeliveryRecord {
  return {
    id: row.id,
    webhook_id: row.endpointId,
    event_id: row.eventId,
    event_type: row.eventType,
    status: row.status,
    replay_of: row.replayOf,
    attempts: attemptsOf(row),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

function attemptsOf({ attempts }: DeliveryRow): WebhookDelivery['attempts'] {
  return attempts.map((attempt) => ({
    ...attempt,
    attempted_at: new Date(attempt.attempted_at).toISOString(),
  }));
}
