import { type Static, Type } from '@sinclair/typebox';
import { Encoding } from '../channels/sms/sms-content.schema.js';
import type { WorkspaceId } from '../ids.js';
import { Metadata, MESSAGE_CHARACTERS_MAX, Timeline } from './common.schema.js';
import { category, SmsMessage } from './messaging.schema.js';
import { QuoteId } from './quote.schema.js';
import { idOf, nullable } from '../shapes.js';

export const SEGMENTS_MAX = 10;

export const SendSmsBody = Type.Object({
  phone_number: Type.String(),
  message: Type.String({ minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX }),
  /** Only the type is checked here. A bad sender ID gets the error `sender_id_invalid`. */
  sender_id: Type.Optional(Type.String()),
  category,
  metadata: Type.Optional(Metadata),
  quote_id: Type.Optional(QuoteId),
});
export type SendSmsBody = Static<typeof SendSmsBody>;

export const SendSmsAnswer = Type.Object({
  id: Type.String(),
  phone_number: Type.String(),
  country_code: Type.String(),
  credit_cost: Type.Integer(),
  segments: Type.Integer(),
  encoding: Encoding,
  rewritten: Type.Boolean(),
  status: Type.Literal('pending'),
  created_at: Type.String(),
});
export type SendSmsAnswer = Static<typeof SendSmsAnswer>;

/**
 * One record for both variants: the names of variant B, then those of A. The text is deleted
 * `RETENTION_CONTENT_DAYS` after the message was sent.
 */
export const SmsDetails = Type.Composite([
  SmsMessage,
  Type.Object({
    workspace_id: idOf<WorkspaceId>(),
    phone_number: Type.String(),
    country_code: Type.String(),
    message: nullable(Type.String()),
    sender_id: nullable(Type.String()),
    credit_cost: Type.Integer(),
    timeline: Timeline,
    /** Present once the text was deleted; `message` and `body` are then null. */
    content_expired: Type.Optional(Type.Literal(true)),
    /** The text that the caller gave, where rewriting changed it. */
    original_body: Type.Optional(Type.String()),
    /** Left out of transactional messages. */
    category: Type.Optional(Type.Literal('promotional')),
    reason: Type.Optional(Type.String()),
    refunded: Type.Optional(Type.Boolean()),
    antispam: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
]);
export type SmsDetails = Static<typeof SmsDetails>;
