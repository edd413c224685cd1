import type { DeliveryId, EndpointId, EventId } from '@watchword/contracts';
export interface DeliveryRow {
  id: DeliveryId;
  eventId: EventId;
  eventType: string;
  endpointId: EndpointId;
  url: string;
  status: 'pending' | 'delivered' | 'failed';
  attemptCount: number;
  nextAttemptAt: Date | null;
  replayOf: string | null;
  createdAt: Date;
  attempts: AttemptRow[];
}

/** A row as PostgreSQL's JSON has it. */
export interface AttemptRow {
  attempted_at: string;
  status_code: number | null;
  latency_ms: number;
  response_body: string | null;
  error: string | null;
}
