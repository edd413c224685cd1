import { type Static, Type } from '@sinclair/typebox';

/**
 * What happened to a message, with its record as of that moment. Topic `svc.message-events.v1`,
 * key = message id. A failed, blocked, rejected or cancelled message is announced only when its refund is
 * settled, so `refunded` is always true to the ledger.
 */
const nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const MessageSnapshot = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  kind: Type.Union([Type.Literal('otp'), Type.Literal('sms')]),
  family: Type.Union([Type.Literal('a'), Type.Literal('b')]),
  test_mode: Type.Boolean(),
  destination: Type.String(),
  country_code: Type.String(),
  network: nullable(Type.String()),
  sender_id: nullable(Type.String()),
  /** The text of an SMS; always null for an OTP, whose text holds the code. */
  body: nullable(Type.String()),
  state: Type.String(),
  credits: Type.Integer(),
  segments: Type.Integer(),
  encoding: Type.String(),
  provider: nullable(Type.String()),
  provider_message_id: nullable(Type.String()),
  reason: nullable(Type.String()),
  refunded: nullable(Type.Boolean()),
  error_code: nullable(Type.String()),
  error_message: nullable(Type.String()),
  antispam: nullable(Type.Record(Type.String(), Type.Unknown())),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  created_at: Type.String(),
  sent_at: nullable(Type.String()),
  delivered_at: nullable(Type.String()),
});

export const MessageEvent = Type.Object({
  event_id: Type.String(),
  type: Type.Union([
    Type.Literal('message.sent'),
    Type.Literal('message.delivered'),
    Type.Literal('message.verified'),
    Type.Literal('message.expired'),
    Type.Literal('message.failed'),
    Type.Literal('message.blocked'),
    Type.Literal('message.rejected'),
    Type.Literal('message.cancelled'),
  ]),
  occurred_at: Type.String(),
  message: MessageSnapshot,
});
export type MessageSnapshot = Static<typeof MessageSnapshot>;
export type MessageEvent = Static<typeof MessageEvent>;
export type MessageEventType = MessageEvent['type'];
