import { type Static, Type } from '@sinclair/typebox';
import type { MessageId, WorkspaceId } from '../ids.js';
import { idOf } from '../shapes.js';

/** Dispatch asks billing to refund the charge of a message. Billing refunds each message once. */
export const RefundMessage = Type.Object({
  message_id: idOf<MessageId>(),
  workspace_id: idOf<WorkspaceId>(),
  reason: Type.String(),
  requested_at: Type.String(),
});
export type RefundMessage = Static<typeof RefundMessage>;
