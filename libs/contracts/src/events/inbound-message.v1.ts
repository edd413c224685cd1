import { type Static, Type } from '@sinclair/typebox';

/**
 * An SMS from a handset, or its opt-out at the carrier (a `stop`), verified by the gateway. Only its keyword is on the bus, not its text.
 * Topic `svc.inbound-messages.v1`, key = the handset's number.
 */
export const InboundMessage = Type.Object({
  inbound_id: Type.String(),
  /** Account at the carrier that received it. */
  provider: Type.String(),
  /** The carrier's id of the message; a repeated report has the same id. Empty for an opt-out without one. */
  provider_message_id: Type.String(),
  /** Number of the handset, E.164. */
  from: Type.String(),
  /** Number, short code or sender ID that received it. */
  to: Type.String(),
  /** The keyword of the text. Null where the text has none. */
  keyword: Type.Union([
    Type.Literal('stop'),
    Type.Literal('start'),
    Type.Literal('help'),
    Type.Null(),
  ]),
  received_at: Type.String(),
});
export type InboundMessage = Static<typeof InboundMessage>;
