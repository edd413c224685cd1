import { type Static, Type } from '@sinclair/typebox';

/** How long a key answers as it did the first time. */
export const IDEMPOTENCY_KEY_HOURS = 24;
export const IDEMPOTENCY_KEY_MS = IDEMPOTENCY_KEY_HOURS * 3_600_000;

export const IdempotencyClaim = Type.Object({
  /** Mode, method and path: `live POST /v1/otp/send`. The workspace is added by the callee. */
  scope: Type.String(),
  key: Type.String(),
  /** SHA-256 of the canonical JSON body, in hexadecimal. */
  fingerprint: Type.String(),
});
export type IdempotencyClaim = Static<typeof IdempotencyClaim>;
