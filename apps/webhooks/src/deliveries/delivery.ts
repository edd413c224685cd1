/** A delivery that a process holds: leased, and attempted before the lease ends. */
export interface PendingDelivery {
  readonly workspaceId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  /** The endpoint as it was when the delivery was handed out. */
  readonly endpointVersion: number;
  /** Attempts on record. */
  readonly attemptCount: number;
  readonly leasedUntilMs: number;
  readonly event: { readonly id: string; readonly type: string; readonly body: Buffer };
}

/** What came of one POST. */
export interface AttemptOutcome {
  /** Null when no status was received. */
  readonly statusCode: number | null;
  readonly retryAfter: string | null;
  readonly responseBody: string | null;
  /** In words that a stranger may read; null when the status says it all. */
  readonly error: string | null;
  readonly latencyMs: number;
}

/** An attempt that was made, and what it means for its delivery. */
export interface AttemptResult {
  readonly delivery: PendingDelivery;
  readonly attemptedAtMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAtMs: number | null;
}
