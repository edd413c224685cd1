import { type Static, Type } from '@sinclair/typebox';

/**
 * An SMS that a handset sent, verified by the gateway. Its text is not on the bus: the keyword is all
 * that is read of it. Topic `svc.inbound-messages.v1`, key = the handset's number.
 */
export const InboundMessage = Type.Object({
  inbound_id: Type.String(),
  /** The account at a carrier that received it. */
  provider: Type.String(),
  /** The carrier's id; the same when the carrier reports it again. */
  provider_message_id: Type.String(),
  /** The handset, E.164. */
  from: Type.String(),
  /** The number, short code or sender ID that it was sent to. */
  to: Type.String(),
  /** Null for a text that is no keyword. */
  keyword: Type.Union([
    Type.Literal('stop'),
    Type.Literal('start'),
    Type.Literal('help'),
    Type.Null(),
  ]),
  received_at: Type.String(),
});
export type InboundMessage = Static<typeof InboundMessage>;
