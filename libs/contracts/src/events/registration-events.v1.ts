import { type Static, Type } from '@sinclair/typebox';
import { SenderRecord } from '../rpc/sender-calls.js';

/** A decision about a sender ID in one country. */
export const SenderEvent = Type.Object({
  event_id: Type.String(),
  type: Type.Union([Type.Literal('sender_id.approved'), Type.Literal('sender_id.rejected')]),
  workspace_id: Type.String(),
  country: Type.String(),
  sender: SenderRecord,
  occurred_at: Type.String(),
});
export type SenderEvent = Static<typeof SenderEvent>;
