import { type Static, Type } from '@sinclair/typebox';
import { PageQuery, UUID_PATTERN } from './common.schema.js';

const oneOf = <Word extends string>(...words: Word[]) =>
  Type.Union(words.map((word) => Type.Literal(word)));

/** RFC 3339; a day alone begins at midnight UTC. */
export const Instant = Type.String({
  maxLength: 40,
  pattern:
    '^\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:\\d\\d))?$',
});

const filters = {
  /** E.164; its plus sign may come as the blank that an unescaped one is in a query. */
  to: Type.Optional(Type.String({ pattern: '^[+ ]?\\d{8,15}$' })),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  test_mode: Type.Optional(Type.Boolean()),
  /** Both exclusive. */
  created_after: Type.Optional(Instant),
  created_before: Type.Optional(Instant),
};

const from = Type.Optional(Type.String({ pattern: '^[ -~]{1,11}$' }));
const OTP_STATUSES = ['pending', 'sent', 'delivered', 'verified', 'expired', 'failed'] as const;
/** Those of variant A, then those that only variant B has. */
const SMS_STATUSES = [
  ...(['pending', 'sent', 'delivered', 'failed', 'blocked'] as const),
  ...(['scheduled', 'queued', 'rejected', 'cancelled'] as const),
] as const;

const anyStatus = Type.Optional(oneOf(...new Set([...OTP_STATUSES, ...SMS_STATUSES])));

/** Its `status` takes the words that OTPs never show, too. */
export const OtpListQuery = Type.Composite([
  PageQuery,
  Type.Object({ ...filters, status: anyStatus }),
]);
export type OtpListQuery = Static<typeof OtpListQuery>;

export const SmsListQuery = Type.Composite([
  PageQuery,
  Type.Object({ ...filters, from, status: Type.Optional(oneOf(...SMS_STATUSES)) }),
]);
export type SmsListQuery = Static<typeof SmsListQuery>;

/** The dashboard's list of everything that was sent. */
export const MessageListQuery = Type.Composite([
  PageQuery,
  Type.Object({
    ...filters,
    from,
    kind: Type.Optional(oneOf('otp', 'sms')),
    status: anyStatus,
  }),
]);
export type MessageListQuery = Static<typeof MessageListQuery>;

/** What an operator may see of a message. */
export const RevealQuery = Type.Object({
  /** Shows numbers, texts and metadata. */
  reveal: Type.Optional(Type.Boolean()),
  /** Required with `reveal`; kept in the audit. */
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
});
export type RevealQuery = Static<typeof RevealQuery>;

/** An operator's list of the messages of all workspaces. */
export const OperatorMessageListQuery = Type.Composite([
  PageQuery,
  Type.Object({
    to: filters.to,
    id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    workspace_id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
    status: anyStatus,
  }),
  RevealQuery,
]);
export type OperatorMessageListQuery = Static<typeof OperatorMessageListQuery>;
