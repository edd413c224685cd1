import { type Static, Type } from '@sinclair/typebox';
import type { MessageId, WorkspaceId } from '../ids.js';
import { PHONE_KINDS } from '../channels/channels.js';
import { SmsContent } from '../channels/sms/sms-content.schema.js';
import type { EmailSummary } from '../events/email-events.v1.js';
import { MessageDetails, MessageSnapshot } from '../events/message-events.v1.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { destinationCalls } from './destination-calls.js';
import { emailCalls } from './email-calls.js';
import { domainCalls } from './domain-calls.js';
import { erasureCalls } from './erasure-calls.js';
import { suppressionCalls } from './suppression-calls.js';
import { templateCalls } from './template-calls.js';
import { callerScope } from './isolation.js';
import { idOf, nullable, words } from '../shapes.js';

/** The whole record of a message, as reads render it. Times are ISO 8601 UTC. */
export const MessageRecord = Type.Composite([
  MessageSnapshot,
  MessageDetails,
  Type.Object({
    /**
     * True when the text was deleted because of its age, or with its number. Absent where a record is made from a
     * command or an event.
     */
    content_expired: Type.Optional(Type.Boolean()),
    /** The sender that the handset shows, of a message without a sender ID that a carrier took. */
    shown_sender: Type.Optional(nullable(Type.String())),
  }),
]);
export type MessageRecord = Static<typeof MessageRecord>;

export const VerifyResult = Type.Union([
  Type.Object({
    outcome: Type.Literal('checked'),
    valid: Type.Boolean(),
    /** `pending`, `sent`, `verified` or `failed`: `delivered` is reported as `sent`. */
    status: Type.String(),
    attempts_used: Type.Integer(),
    attempts_remaining: Type.Integer(),
    replayed: Type.Boolean(),
  }),
  /**
   * The number had too many wrong codes in a row. The answer does not say whether this code is
   * right.
   */
  Type.Object({
    outcome: Type.Literal('guessing_capped'),
    retry_after_seconds: Type.Integer({ minimum: 1 }),
  }),
  Type.Object({
    outcome: words(
      'not_found',
      'otp_already_verified',
      'max_attempts_exceeded',
      'otp_expired',
      'conflict',
      'idempotency_conflict',
    ),
  }),
]);
export type VerifyResult = Static<typeof VerifyResult>;

export type FoundEmail = EmailSummary & { readonly kind: 'email' };
/** A message of any channel. */
export type FoundMessage = MessageRecord | FoundEmail;

export const CancelResult = Type.Union([
  /**
   * The message is not sent any more, and its code no longer verifies. The record says whether
   * credits went back once that is settled.
   */
  Type.Object({
    outcome: Type.Literal('cancelled'),
    message: MessageRecord,
    settled: Type.Boolean(),
    replayed: Type.Boolean(),
  }),
  Type.Object({
    outcome: words('not_found', 'conflict', 'idempotency_conflict'),
  }),
]);
export type CancelResult = Static<typeof CancelResult>;

export const ReserveResendResult = Type.Union([
  Type.Object({
    outcome: Type.Literal('reserved'),
    message: MessageRecord,
    remaining: Type.Integer(),
  }),
  Type.Object({
    outcome: Type.Union([
      Type.Literal('not_found'),
      Type.Literal('otp_already_verified'),
      Type.Literal('max_attempts_exceeded'),
      Type.Literal('otp_expired'),
      Type.Literal('conflict'),
      /** No provider has the message yet. A retry a moment later can succeed. */
      Type.Literal('not_sent_yet'),
      Type.Literal('none_left'),
    ]),
  }),
]);
export type ReserveResendResult = Static<typeof ReserveResendResult>;

/** A restriction that pumping protection put on a prefix of a workspace. */
export const PrefixRestriction = Type.Object({
  workspace_id: idOf<WorkspaceId>(),
  /** The first six digits, without the plus sign. */
  prefix: Type.String(),
  state: words('throttled', 'blocked'),
  since: Type.String(),
  /** End of the restriction. Null until an operator lifts it. */
  ends_at: nullable(Type.String()),
});
export type PrefixRestriction = Static<typeof PrefixRestriction>;

/** The text as it would be sent, and the workspace's anti-spam setting. */
export const ScreenTextRequest = Type.Object({
  text: Type.String(),
  country_code: Type.String(),
  sender_id: nullable(Type.String()),
  anti_spam: Type.Index(SmsContent, ['anti_spam']),
});
export type ScreenTextRequest = Static<typeof ScreenTextRequest>;

const ResendId = { ...callerScope, otp_id: idOf<MessageId>(), resend_id: idOf<MessageId>() };

export const dispatchCalls = defineCalls('dispatch', {
  ...templateCalls,
  ...destinationCalls,
  ...emailCalls,
  ...domainCalls,
  ...suppressionCalls,
  ...erasureCalls,
  /**
   * Returns `null` when the message is unknown or belongs to another caller. Dispatch may not have
   * it yet: ask billing.
   */
  getMessage: call(
    Type.Object({
      ...callerScope,
      message_id: idOf<MessageId>(),
      kind: words(...PHONE_KINDS),
    }),
    Type.Object({ message: nullable(MessageRecord) }),
  ),
  /** Returns why each attempt of a code or an SMS failed, in the order of the record's attempts. */
  getAttemptReasons: call(
    Type.Object({ ...callerScope, message_id: idOf<MessageId>() }),
    Type.Object({ reasons: Type.Array(nullable(Type.String())) }),
  ),
  /** Returns the destination of an OTP, by which a verify is limited. */
  getOtpDestination: call(
    Type.Object({ ...callerScope, otp_id: idOf<MessageId>() }),
    Type.Object({ destination: nullable(Type.String()), test_mode: Type.Boolean() }),
  ),
  verifyOtp: call(
    Type.Object({
      ...callerScope,
      otp_id: idOf<MessageId>(),
      code: Type.String(),
      idempotency: nullable(IdempotencyClaim),
    }),
    VerifyResult,
    { idempotent: false },
  ),
  /** Returns the stored answer of a verification with this key, or null. Changes nothing. */
  findVerification: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), idempotency: IdempotencyClaim }),
    Type.Object({ result: nullable(VerifyResult) }),
  ),
  /**
   * Cancels an OTP in any state that is not final, or an SMS without an attempt. The refund is
   * known at once, or is settled later by a refund or by a provider's answer (`settled`).
   */
  cancelMessage: call(
    Type.Object({
      ...callerScope,
      message_id: idOf<MessageId>(),
      kind: words(...PHONE_KINDS),
      idempotency: nullable(IdempotencyClaim),
    }),
    CancelResult,
    { idempotent: false },
  ),
  /**
   * Takes one of an OTP's remaining resends before the charge. Safe to repeat with the same id. A
   * resend whose command never arrives is given back by `releaseResend`, or automatically after a
   * minute.
   */
  reserveResend: call(Type.Object(ResendId), ReserveResendResult),
  releaseResend: call(Type.Object(ResendId), Type.Object({})),
  /**
   * Returns all restrictions in force, or null when nothing changed since the caller's version.
   * Every gateway asks once a second; an answer without changes reads one row.
   */
  listPrefixRestrictions: call(
    Type.Object({ known_version: Type.Integer() }),
    Type.Object({
      version: Type.Integer(),
      restrictions: nullable(Type.Array(PrefixRestriction)),
    }),
  ),
  /**
   * Lifts a restriction. Returns false when none is in force. Messages before a lift no longer
   * count against the prefix.
   */
  liftPrefixRestriction: call(
    Type.Object({ workspace_id: idOf<WorkspaceId>(), prefix: Type.String() }),
    Type.Object({ lifted: nullable(PrefixRestriction) }),
  ),
  /** Returns what anti-spam would do about an SMS with this text. Stores nothing. */
  screenText: call(
    ScreenTextRequest,
    Type.Object({
      action: words('none', 'tag', 'block'),
    }),
  ),
});
export type DispatchCalls = CallsOf<typeof dispatchCalls>;
