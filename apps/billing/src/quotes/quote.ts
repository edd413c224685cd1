import type { WorkspaceId } from '@watchword/contracts';

/** A price per segment that holds for one send. */
export interface Quote {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly testMode: boolean;
  readonly kind: string;
  readonly destination: string;
  readonly creditsPerSegment: number;
  readonly priceRule: string;
  readonly expiresAt: Date;
}

/** A quote under an `Idempotency-Key`, with the result that a retry gets again. */
export interface KeyedQuote {
  readonly id: string;
  readonly fingerprint: string;
  readonly answer: string;
  readonly expiresAt: Date;
}
