import { type Static, Type } from '@sinclair/typebox';

/** Dispatch asks billing to give back what a message was charged. Idempotent: once per message. */
export const RefundMessage = Type.Object({
  message_id: Type.String(),
  workspace_id: Type.String(),
  reason: Type.String(),
  requested_at: Type.String(),
});
export type RefundMessage = Static<typeof RefundMessage>;
