import { type Static, Type } from '@sinclair/typebox';
import { MESSAGE_KINDS, PHONE_KINDS } from '../channels/channels.js';
import { EMAIL_STATUSES } from '../events/email-events.v1.js';
import type { WorkspaceId } from '../ids.js';
import { PageQuery, UUID_PATTERN } from './common.schema.js';
import { idOf, words } from '../shapes.js';
import { OTP_STATUSES, SMS_STATUSES } from './statuses.js';

/**
 * A time in RFC 3339, or as other writers of ISO 8601 send it. A date without a time means midnight UTC. It has no
 * pattern: generated clients check the text of their own type of time against it.
 */
export const Instant = Type.String({ maxLength: 40 });

const filters = {
  /** E.164. A plus sign that was not escaped arrives as a blank and is accepted. */
  to: Type.Optional(Type.String({ pattern: '^[+ ]?[1-9]\\d{7,14}$' })),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  test_mode: Type.Optional(Type.Boolean()),
  /** Both bounds are exclusive. */
  created_after: Type.Optional(Instant),
  created_before: Type.Optional(Instant),
};

const from = Type.Optional(Type.String({ pattern: '^[ -~]{1,11}$' }));
const anyStatus = Type.Optional(words(...new Set([...OTP_STATUSES, ...SMS_STATUSES])));

/** `status` also accepts the words that an OTP never has. */
export const OtpListQuery = Type.Composite([
  PageQuery,
  Type.Object({ ...filters, status: anyStatus }),
]);
export type OtpListQuery = Static<typeof OtpListQuery>;

export const SmsListQuery = Type.Composite([
  PageQuery,
  Type.Object({ ...filters, from, status: Type.Optional(words(...SMS_STATUSES)) }),
]);
export type SmsListQuery = Static<typeof SmsListQuery>;

/** Query of the dashboard's list of all messages. */
export const MessageListQuery = Type.Composite([
  PageQuery,
  Type.Object({
    ...filters,
    from,
    kind: Type.Optional(words(...PHONE_KINDS)),
    status: anyStatus,
  }),
]);
export type MessageListQuery = Static<typeof MessageListQuery>;

/** Query of the dashboard's search over every channel. */
export const MessageSearchQuery = Type.Composite([
  PageQuery,
  Type.Object({
    q: Type.Optional(
      Type.String({
        description:
          'The id of a message, an email address, or a number in any writing: with blanks, with `+` or `00`, or in the ' +
          "national form of the workspace's country.",
        minLength: 1,
        maxLength: 320,
        examples: ['0803 123 4567'],
      }),
    ),
    kind: Type.Optional(words(...MESSAGE_KINDS)),
    status: Type.Optional(words(...new Set([...OTP_STATUSES, ...SMS_STATUSES, ...EMAIL_STATUSES]))),
    test_mode: Type.Optional(Type.Boolean()),
    /** Both bounds are exclusive. */
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
  }),
]);
export type MessageSearchQuery = Static<typeof MessageSearchQuery>;

/** Query of an operator's read of a message. */
export const RevealQuery = Type.Object({
  /** Whether to show numbers, texts and metadata. */
  reveal: Type.Optional(Type.Boolean()),
  reason: Type.Optional(
    Type.String({
      description: 'Why texts and numbers are shown, for the audit. Required with `reveal`.',
      minLength: 1,
      maxLength: 500,
      examples: ['The customer asked, ticket 17.'],
    }),
  ),
});
export type RevealQuery = Static<typeof RevealQuery>;

/** Query of an operator's list of messages, over all workspaces. */
export const OperatorMessageListQuery = Type.Composite([
  PageQuery,
  Type.Object({
    to: Type.Optional(
      Type.String({
        description:
          'An email address, or a number in any writing: with blanks, with `+` or `00`, or in the national form of `country`.',
        minLength: 1,
        maxLength: 320,
        examples: ['0803 123 4567'],
      }),
    ),
    country: Type.Optional(
      Type.String({
        description: 'The country of a number in national form.',
        pattern: '^[A-Z]{2}$',
        examples: ['NG'],
      }),
    ),
    id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    workspace_id: Type.Optional(idOf<WorkspaceId>({ pattern: UUID_PATTERN })),
    status: Type.Optional(words(...new Set([...OTP_STATUSES, ...SMS_STATUSES, ...EMAIL_STATUSES]))),
  }),
  RevealQuery,
]);
export type OperatorMessageListQuery = Static<typeof OperatorMessageListQuery>;
