import { type Static, Type } from '@sinclair/typebox';
import type { MessageId, WorkspaceId } from '../ids.js';
import { EmailSummary } from '../events/email-events.v1.js';
import { IdempotencyClaim } from './billing-calls.js';
import { call } from './calls.js';
import { callerScope } from './isolation.js';
import { idOf, nullable, verdict, words } from '../shapes.js';

/** Days for which the texts and attachments of an email are stored. */
export const EMAIL_CONTENT_DAYS = 30;
/** The same for emails of test mode. */
export const TEST_EMAIL_CONTENT_DAYS = 1;

/**
 * The parts of an email that are too large for the bus. Stored once per workspace under their
 * SHA-256.
 */
export const EmailContent = Type.Object({
  html: nullable(Type.String()),
  /** The text as it is sent. Derived from `html` where the caller gave null; `""` sends none. */
  text: nullable(Type.String()),
  attachments: Type.Array(
    Type.Object({
      filename: Type.String(),
      /** Bytes of the attachment in padded base64. */
      content: Type.String(),
      content_type: Type.String(),
      content_id: nullable(Type.String()),
    }),
  ),
});
export type EmailContent = Static<typeof EmailContent>;

/** The whole record of an email. `html` and `text` are null after the content was deleted. */
export const EmailRecord = Type.Composite([
  EmailSummary,
  Type.Object({
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    content_expired: Type.Boolean(),
  }),
]);
export type EmailRecord = Static<typeof EmailRecord>;

export const CancelEmailResult = Type.Union([
  Type.Object({
    outcome: Type.Literal('cancelled'),
    email: EmailSummary,
    replayed: Type.Boolean(),
  }),
  Type.Object({
    /** `conflict`: a copy was handed over already, or the email has ended. */
    outcome: words('not_found', 'conflict', 'idempotency_conflict'),
  }),
]);
export type CancelEmailResult = Static<typeof CancelEmailResult>;

/** Most bytes of contents that a workspace may store in the mode of the send, or in both. */
export const StoredBytesBound = Type.Object({
  bytes_max: Type.Integer(),
  both_modes: Type.Boolean(),
});
export type StoredBytesBound = Static<typeof StoredBytesBound>;

export const emailCalls = {
  /**
   * Stores contents of emails, encrypted. The gateway calls it before the acceptance, so an
   * accepted email always has its content. Returns one hash per content, in order. `full`: stores
   * nothing, as they would exceed the bound. Each call holds the contents until it is released.
   */
  storeEmailContents: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      test_mode: Type.Boolean(),
      contents: Type.Array(EmailContent, { minItems: 1, maxItems: 100 }),
      bound: Type.Optional(nullable(StoredBytesBound)),
    }),
    Type.Union([Type.Object({ sha256: Type.Array(Type.String()) }), verdict('full')]),
    { alone: true },
  ),
  /** The sends that stored these contents, once each, were refused. What no other send holds is deleted. */
  releaseEmailContents: call(
    Type.Object({
      workspace_id: idOf<WorkspaceId>(),
      sha256: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
    }),
    Type.Object({}),
    { idempotent: false },
  ),
  /**
   * Returns `null` when the email is unknown or belongs to another caller. Dispatch may not have it
   * yet: ask billing.
   */
  getEmail: call(
    Type.Object({ ...callerScope, email_id: idOf<MessageId>() }),
    Type.Object({ email: nullable(EmailRecord) }),
    { alone: true },
  ),
  /** Cancels an email of which no copy was handed over. */
  cancelEmail: call(
    Type.Object({
      ...callerScope,
      email_id: idOf<MessageId>(),
      idempotency: nullable(IdempotencyClaim),
    }),
    CancelEmailResult,
    { idempotent: false },
  ),
};
