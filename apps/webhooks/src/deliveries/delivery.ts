import type { DeliveryId, EndpointId, EventId, WorkspaceId } from '@watchword/contracts';

/** A delivery that a process holds: leased, and attempted before the lease ends. */
export interface PendingDelivery {
  readonly workspaceId: WorkspaceId;
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  /** Version of the endpoint when the delivery was leased. */
  readonly endpointVersion: number;
  /** Recorded attempts. */
  readonly attemptCount: number;
  readonly leasedUntilMs: number;
  readonly event: { readonly id: EventId; readonly type: string; readonly body: Buffer };
}

/** The result of one POST. */
export interface AttemptOutcome {
  /** Null when no status was received. */
  readonly statusCode: number | null;
  readonly retryAfter: string | null;
  readonly responseBody: string | null;
  /** Description for the customer. Null when the status says everything. */
  readonly error: string | null;
  readonly latencyMs: number;
}

/** An attempt that was made, and its effect on the delivery. */
export interface AttemptResult {
  readonly delivery: PendingDelivery;
  readonly attemptedAtMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAtMs: number | null;
  /** Whether its endpoint was untested, and is not any more. */
  readonly passedTest: boolean;
}
