import { type Static, Type } from '@sinclair/typebox';
import type { MessageId, WorkspaceId } from '../ids.js';
import { Metadata, Timeline, UUID_PATTERN } from './common.schema.js';
import { MadeResend, ProviderAttempt } from '../events/message-events.v1.js';
import { QuoteId } from './quote.schema.js';
import { OtpStatus, VerificationStatus } from './statuses.js';
import { LANGUAGES } from '../errors/error-catalogue.js';
import { INPUT_PROBLEMS } from '../errors/input-problems.js';
import { formed, idOf, nullable, words } from '../shapes.js';

export const CODE_LENGTH_DEFAULT = 6;
export const TTL_SECONDS_DEFAULT = 600;

export const SendOtpBody = Type.Object({
  phone_number: Type.String(),
  /** Digits of the code. Default 6; a number outside 4 to 8, zero included, is refused. */
  code_length: Type.Optional(Type.Integer({ minimum: 4, maximum: 8 })),
  ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
  language: Type.Optional(words(...LANGUAGES)),
  metadata: Type.Optional(Metadata),
  quote_id: Type.Optional(QuoteId),
});
export type SendOtpBody = Static<typeof SendOtpBody>;

export const SendOtpAnswer = Type.Object({
  id: Type.String(),
  phone_number: Type.String(),
  country_code: Type.String(),
  credit_cost: Type.Integer(),
  status: Type.Literal('pending'),
  code_length: Type.Integer(),
  expires_at: Type.String(),
  created_at: Type.String(),
});
export type SendOtpAnswer = Static<typeof SendOtpAnswer>;

/** The answer of a send, for the resend. `id` is that of the OTP. */
export const ResendOtpAnswer = Type.Composite([
  SendOtpAnswer,
  Type.Object({
    /** Id of the charge: the `message_id` of its ledger entry. */
    resend_id: idOf<MessageId>(),
    resends_remaining: Type.Integer(),
  }),
]);
export type ResendOtpAnswer = Static<typeof ResendOtpAnswer>;

/** The body of a cancel and of a resend, which need only the id in the path. */
export const NoBody = Type.Object({});

export const VerifyOtpBody = Type.Object({
  otp_id: formed(idOf<MessageId>({ pattern: UUID_PATTERN }), INPUT_PROBLEMS.idFrom('/v1/otp/send')),
  /** The code to compare. Any text is accepted; a text that is not the code is a wrong code. */
  code: Type.String({ minLength: 1, maxLength: 64 }),
});
export type VerifyOtpBody = Static<typeof VerifyOtpBody>;

export const VerifyOtpAnswer = Type.Object({
  valid: Type.Boolean(),
  status: VerificationStatus,
  attempts_used: Type.Integer(),
  /** Present only when `valid` is false. */
  attempts_remaining: Type.Optional(Type.Integer()),
});
export type VerifyOtpAnswer = Static<typeof VerifyOtpAnswer>;

export const OtpDetails = Type.Object({
  id: Type.String(),
  workspace_id: idOf<WorkspaceId>(),
  phone_number: Type.String(),
  country_code: Type.String(),
  credit_cost: Type.Integer(),
  status: OtpStatus,
  code_length: Type.Integer(),
  ttl_seconds: Type.Integer(),
  attempt_count: Type.Integer(),
  max_attempts: Type.Integer(),
  language: Type.String({ enum: LANGUAGES }),
  test_mode: Type.Boolean(),
  expires_at: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  sent_at: nullable(Type.String()),
  delivered_at: nullable(Type.String()),
  verified_at: nullable(Type.String()),
  failed_at: nullable(Type.String()),
  reason: Type.Optional(Type.String()),
  refunded: Type.Optional(Type.Boolean()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  timeline: Timeline,
  provider_attempts: Type.Array(ProviderAttempt),
  /** Oldest first. Absent where there are none. */
  resends: Type.Optional(Type.Array(MadeResend)),
});
export type OtpDetails = Static<typeof OtpDetails>;
