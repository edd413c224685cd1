import { type Static, Type } from '@sinclair/typebox';
import { ProviderAttempt } from '../events/message-events.v1.js';
import { Metadata, nullable, Timeline } from './common.schema.js';
import { QuoteId } from './quote.schema.js';

export const MESSAGE_CHARACTERS_MAX = 1600;
export const SEGMENTS_MAX = 10;

export const SendSmsBody = Type.Object({
  phone_number: Type.String(),
  message: Type.String({ minLength: 1, maxLength: MESSAGE_CHARACTERS_MAX }),
  /** Its own rules answer with `sender_id_invalid`, so only the type is checked here. */
  sender_id: Type.Optional(Type.String()),
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
  encoding: Type.String(),
  rewritten: Type.Boolean(),
  status: Type.Literal('pending'),
  created_at: Type.String(),
});
export type SendSmsAnswer = Static<typeof SendSmsAnswer>;

/** One record for both variants: the names of A, then those of B. */
export const SmsDetails = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  status: Type.String(),
  phone_number: Type.String(),
  country_code: Type.String(),
  message: nullable(Type.String()),
  sender_id: nullable(Type.String()),
  credit_cost: Type.Integer(),
  segments: Type.Integer(),
  encoding: Type.String(),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  timeline: Timeline,
  reason: Type.Optional(Type.String()),
  refunded: Type.Optional(Type.Boolean()),
  antispam: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  to: Type.String(),
  from: nullable(Type.String()),
  body: nullable(Type.String()),
  country: Type.String(),
  carrier: nullable(Type.String()),
  provider: nullable(Type.String()),
  provider_message_id: nullable(Type.String()),
  provider_attempts: Type.Array(ProviderAttempt),
  cost: Type.Object({ amount_kobo: Type.Integer(), currency: Type.String() }),
  error_code: Type.Optional(Type.String()),
  error_message: Type.Optional(Type.String()),
  test_mode: Type.Boolean(),
  created_at: Type.String(),
  sent_at: nullable(Type.String()),
  delivered_at: nullable(Type.String()),
});
export type SmsDetails = Static<typeof SmsDetails>;
