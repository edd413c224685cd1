import { type Static, Type } from '@sinclair/typebox';
import type { EventId, MessageId, WorkspaceId } from '../ids.js';
import { PHONE_KINDS } from '../channels/channels.js';
import { SmsCategory } from '../channels/sms/sms-content.schema.js';
import { SmsFields } from '../channels/sms/sms-fields.schema.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * Something happened to a message, with the message's record as of that moment. Topic
 * `svc.message-events.v1`, key = message id. A failed, blocked, rejected or cancelled message is
 * published only when its refund is settled, so `refunded` always agrees with the ledger.
 */

export const MessageSnapshot = Type.Object({
  id: idOf<MessageId>(),
  workspace_id: idOf<WorkspaceId>(),
  kind: words(...PHONE_KINDS),
  family: words('a', 'b'),
  test_mode: Type.Boolean(),
  destination: Type.String(),
  country_code: Type.String(),
  network: nullable(Type.String()),
  sender_id: nullable(Type.String()),
  /** The text of an SMS; always null for an OTP, because its text holds the code. */
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

/**
 * A hop that the message reached. A terminal `failed` or `blocked` hop carries the reason and the
 * refund.
 */
export const TimelineHop = Type.Object({
  status: Type.String(),
  timestamp: Type.String(),
  reason: Type.Optional(Type.String()),
  refunded: Type.Optional(Type.Boolean()),
  provider: Type.Optional(Type.String()),
});
export type TimelineHop = Static<typeof TimelineHop>;

export const ProviderAttempt = Type.Object({
  provider: Type.String(),
  attempted_at: Type.String(),
  ok: Type.Boolean(),
  provider_message_id: Type.Optional(Type.String()),
  error_code: Type.Optional(Type.String()),
  error_message: Type.Optional(Type.String()),
  /** True when the carrier reported a delivery after the message had ended. Otherwise absent. */
  late_delivery: Type.Optional(Type.Boolean()),
});

/** A resend that was charged and begun. */
export const MadeResend = Type.Object({
  /** The `message_id` of its charge, and of its refund, in the ledger. */
  resend_id: Type.String(),
  created_at: Type.String(),
  /** Credits of its charge. */
  credits: Type.Optional(Type.Integer()),
  /** Why it failed, which gives its charge back. Absent while it has not. */
  reason: Type.Optional(Type.String()),
});

/** The rest of the record. With the snapshot it is everything that a read of the message shows. */
export const MessageDetails = Type.Object({
  updated_at: Type.String(),
  failed_at: nullable(Type.String()),
  original_body: nullable(Type.String()),
  /** Category of an SMS. Absent: transactional, or no SMS. */
  category: Type.Optional(SmsCategory),
  /** An OTP has only those that are not optional. */
  ...SmsFields.properties,
  otp: nullable(
    Type.Object({
      code_length: Type.Integer(),
      ttl_seconds: Type.Integer(),
      expires_at: Type.String(),
      language: Type.String(),
      attempt_count: Type.Integer(),
      max_attempts: Type.Integer(),
      verified_at: nullable(Type.String()),
    }),
  ),
  /** Hops, oldest first, in the words of the message's family. */
  timeline: Type.Array(TimelineHop),
  provider_attempts: Type.Array(ProviderAttempt),
  /** Oldest first. Absent where there are none. */
  resends: Type.Optional(Type.Array(MadeResend)),
  /** Time for which a message was scheduled. Null or absent for a message without a schedule. */
  send_at: Type.Optional(nullable(Type.String())),
  /** Credits charged times the credit price at acceptance. Absent from older messages. */
  cost: Type.Optional(
    nullable(Type.Object({ amount_kobo: Type.Integer(), currency: Type.String() })),
  ),
});
export type MessageDetails = Static<typeof MessageDetails>;

export const MessageEvent = Type.Object({
  event_id: idOf<EventId>(),
  type: Type.Union([
    /** Only for family `b`: the message was accepted, or its `send_at` has come. */
    Type.Literal('message.queued'),
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
  /** Absent from events of older versions. */
  details: Type.Optional(MessageDetails),
});
export type MessageSnapshot = Static<typeof MessageSnapshot>;
export type MessageEvent = Static<typeof MessageEvent>;
export type MessageEventType = MessageEvent['type'];
