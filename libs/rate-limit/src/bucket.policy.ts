/**
 * Tokens that come back one by one. The time at which it is full again describes a bucket
 * completely.
 */
export interface Bucket {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type BucketVerdict =
  | { admitted: true; remaining: number; fullInMs: number }
  | { admitted: false; retryAfterSeconds: number };

/** Returns the milliseconds in which one token comes back. A bucket of 0 never gets one. */
export function tokenMs({ limit, windowSeconds }: Bucket): number {
  return limit === 0 ? Infinity : (windowSeconds * 1_000) / limit;
}

/** Milliseconds of tolerance for floating-point errors. */
const TOLERANCE_MS = 1e-3;

export function bucketVerdict(bucket: Bucket, fullInMs: number): BucketVerdict {
  const { limit, windowSeconds } = bucket;
  const windowMs = windowSeconds * 1_000;
  if (limit < 1) {
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(windowSeconds)) };
  }
  // A clock that was set back, or a smaller bucket, must not refuse every request.
  const next = Math.min(fullInMs, windowMs) + tokenMs(bucket);
  const missingMs = next - windowMs;
  if (missingMs > TOLERANCE_MS) {
    return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1_000)) };
  }
  return { admitted: true, remaining: tokensLeft(bucket, next), fullInMs: next };
}

export function tokensLeft(bucket: Bucket, fullInMs: number): number {
  const gainedMs = bucket.windowSeconds * 1_000 - fullInMs;
  return Math.floor((gainedMs + TOLERANCE_MS) / tokenMs(bucket));
}
