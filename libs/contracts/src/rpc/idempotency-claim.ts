import { type Static, Type } from '@sinclair/typebox';

/** Hours for which an idempotency key returns its first answer. */
export const IDEMPOTENCY_KEY_HOURS = 24;
export const IDEMPOTENCY_KEY_MS = IDEMPOTENCY_KEY_HOURS * 3_600_000;

export const IdempotencyClaim = Type.Object({
  /**
   * Mode, method and path, for example `live POST /v1/otp/send`. The called service adds the
   * workspace.
   */
  scope: Type.String(),
  key: Type.String(),
  /** SHA-256 of the canonical JSON body, in hexadecimal. */
  fingerprint: Type.String(),
});
export type IdempotencyClaim = Static<typeof IdempotencyClaim>;
