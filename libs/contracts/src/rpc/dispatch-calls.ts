import { type Static, Type } from '@sinclair/typebox';
import { SmsContent } from '../commands/send-message.v1.js';
import { MessageDetails, MessageSnapshot } from '../events/message-events.v1.js';
import { UUID_PATTERN } from '../http/common.schema.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call, type CallsOf, defineCalls } from './calls.js';
import { carrierCalls } from './carrier-calls.js';
import { destinationCalls } from './destination-calls.js';
import { emailCalls } from './email-calls.js';
import { domainCalls } from './domain-calls.js';
import { senderCalls } from './sender-calls.js';
import { suppressionCalls } from './suppression-calls.js';
import { templateCalls } from './template-calls.js';
import { nullable } from '../http/common.schema.js';
import { walls } from './walls.js';

/** The whole record of a message, as reads render it. Times are ISO 8601 UTC. */
export const MessageRecord = Type.Composite([
  MessageSnapshot,
  MessageDetails,
  Type.Object({
    /** The text was deleted because of its age. Absent from a dispatch of an older version. */
    content_expired: Type.Optional(Type.Boolean()),
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
  /** Too many wrong codes in a row on this number; the answer does not say whether the code is right. */
  Type.Object({
    outcome: Type.Literal('guessing_capped'),
    retry_after_seconds: Type.Integer({ minimum: 1 }),
  }),
  Type.Object({
    outcome: Type.Union([
      Type.Literal('not_found'),
      Type.Literal('otp_already_verified'),
      Type.Literal('max_attempts_exceeded'),
      Type.Literal('otp_expired'),
      Type.Literal('conflict'),
      Type.Literal('idempotency_conflict'),
    ]),
  }),
]);
export type VerifyResult = Static<typeof VerifyResult>;

/** Which messages of a workspace; `status` in the public words of each message's family. */
export const ListMessagesRequest = Type.Object({
  ...walls,
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  cursor: Type.Optional(Type.String()),
  kind: Type.Optional(Type.Union([Type.Literal('otp'), Type.Literal('sms')])),
  status: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  /** Filter, on top of the caller's own mode. */
  only_test_mode: Type.Optional(Type.Boolean()),
  /** Both exclusive, ISO 8601. */
  created_after: Type.Optional(Type.String()),
  created_before: Type.Optional(Type.String()),
});
export type ListMessagesRequest = Static<typeof ListMessagesRequest>;

/** Which messages of all workspaces and both modes. */
export const SearchMessagesRequest = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200 }),
  cursor: Type.Optional(Type.String()),
  id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
  to: Type.Optional(Type.String()),
  workspace_id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
  status: Type.Optional(Type.String()),
});
export type SearchMessagesRequest = Static<typeof SearchMessagesRequest>;

const MessagesPage = Type.Union([
  Type.Object({ data: Type.Array(MessageRecord), next_cursor: Type.Optional(Type.String()) }),
  Type.Object({ verdict: Type.Literal('bad_cursor') }),
]);

export const CancelResult = Type.Union([
  /** It is sent no more, and its code no longer verifies. The record tells so once it is settled whether credits went back. */
  Type.Object({
    outcome: Type.Literal('cancelled'),
    message: MessageRecord,
    settled: Type.Boolean(),
    replayed: Type.Boolean(),
  }),
  Type.Object({
    outcome: Type.Union([
      Type.Literal('not_found'),
      Type.Literal('conflict'),
      Type.Literal('idempotency_conflict'),
    ]),
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
      /** No provider has it yet: a moment later it can be sent again. */
      Type.Literal('not_sent_yet'),
      Type.Literal('none_left'),
    ]),
  }),
]);
export type ReserveResendResult = Static<typeof ReserveResendResult>;

/** What pumping protection holds against a prefix of a workspace. */
export const PrefixRestriction = Type.Object({
  workspace_id: Type.String(),
  /** Six digits, without the plus sign. */
  prefix: Type.String(),
  state: Type.Union([Type.Literal('throttled'), Type.Literal('blocked')]),
  since: Type.String(),
  /** Null: until it is lifted. */
  ends_at: nullable(Type.String()),
});
export type PrefixRestriction = Static<typeof PrefixRestriction>;

/** As it would be sent, under the setting that a send would carry. */
export const ScreenTextRequest = Type.Object({
  text: Type.String(),
  country_code: Type.String(),
  sender_id: nullable(Type.String()),
  anti_spam: Type.Index(SmsContent, ['anti_spam']),
});
export type ScreenTextRequest = Static<typeof ScreenTextRequest>;

const ResendId = { ...walls, otp_id: Type.String(), resend_id: Type.String() };

export const dispatchCalls = defineCalls('dispatch', {
  ...templateCalls,
  ...senderCalls,
  ...destinationCalls,
  ...carrierCalls,
  ...emailCalls,
  ...domainCalls,
  ...suppressionCalls,
  /** `null`: unknown here, or behind the walls. It may still be on its way: ask billing. */
  getMessage: call(
    Type.Object({
      ...walls,
      message_id: Type.String(),
      kind: Type.Union([Type.Literal('otp'), Type.Literal('sms')]),
    }),
    Type.Object({ message: nullable(MessageRecord) }),
  ),
  /**
   * Newest first; `cursor` is opaque. A page can hold fewer than `limit` and still have a next one: one call
   * looks at a bounded number of messages, however few of them the filters let through.
   */
  listMessages: call(ListMessagesRequest, MessagesPage),
  /** The same without walls, for operators. */
  searchMessages: call(SearchMessagesRequest, MessagesPage),
  /** Destination of an OTP, which limits need before a verify may count. */
  getOtpDestination: call(
    Type.Object({ ...walls, otp_id: Type.String() }),
    Type.Object({ destination: nullable(Type.String()), test_mode: Type.Boolean() }),
  ),
  verifyOtp: call(
    Type.Object({
      ...walls,
      otp_id: Type.String(),
      code: Type.String(),
      idempotency: nullable(IdempotencyClaim),
    }),
    VerifyResult,
    { idempotent: false },
  ),
  /** What a verification with this key was answered; null when there was none. Changes nothing. */
  findVerification: call(
    Type.Object({ workspace_id: Type.String(), idempotency: IdempotencyClaim }),
    Type.Object({ result: nullable(VerifyResult) }),
  ),
  /**
   * An OTP: from any state that is not final. An SMS: until an attempt is on record. What it costs is known
   * at once, or follows from a refund or from an answer that a provider still owes (`settled`).
   */
  cancelMessage: call(
    Type.Object({
      ...walls,
      message_id: Type.String(),
      kind: Type.Union([Type.Literal('otp'), Type.Literal('sms')]),
      idempotency: nullable(IdempotencyClaim),
    }),
    CancelResult,
    { idempotent: false },
  ),
  /**
   * Takes one of the resends that an OTP has left, before it is charged. Safe to repeat with the same id.
   * One whose command never comes is given back by `releaseResend`, or by itself after a minute.
   */
  reserveResend: call(Type.Object(ResendId), ReserveResendResult),
  releaseResend: call(Type.Object(ResendId), Type.Object({})),
  /**
   * All that are in force; null when nothing changed since the version that the caller knows. Every
   * gateway asks once a second, so an answer without news costs one row.
   */
  listPrefixRestrictions: call(
    Type.Object({ known_version: Type.Integer() }),
    Type.Object({
      version: Type.Integer(),
      restrictions: nullable(Type.Array(PrefixRestriction)),
    }),
  ),
  /** False when there is none in force. What was sent before a lift no longer counts against the prefix. */
  liftPrefixRestriction: call(
    Type.Object({ workspace_id: Type.String(), prefix: Type.String() }),
    Type.Object({ lifted: nullable(PrefixRestriction) }),
  ),
  /** What anti-spam would do about an SMS of this text. Nothing is kept of it. */
  screenText: call(
    ScreenTextRequest,
    Type.Object({
      action: Type.Union([Type.Literal('none'), Type.Literal('tag'), Type.Literal('block')]),
    }),
  ),
});
export type DispatchCalls = CallsOf<typeof dispatchCalls>;
