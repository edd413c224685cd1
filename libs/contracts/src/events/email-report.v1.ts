import { type Static, type TSchema, Type } from '@sinclair/typebox';

/**
 * What came back of an email: a bounce message, a provider's notification, a hit on a tracking link. The
 * gateway verified it. Topic `svc.email-reports.v1`, key = email id.
 *
 * A signed token alone fixes `email_id` and `recipient`. No address in a report is ever trusted.
 */
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const EmailBounce = Type.Object({
  type: Type.Union([Type.Literal('permanent'), Type.Literal('transient')]),
  /** `general`, `no_email`, `suppressed`, `mailbox_full`, `message_too_large`, `content_rejected`. */
  sub_type: Type.String(),
  /** `550 5.1.1`, as the receiver answered; null where it gave none. */
  code: nullable(Type.String()),
  message: nullable(Type.String()),
});
export type EmailBounce = Static<typeof EmailBounce>;

/** `type` in the words of RFC 5965: `abuse`, `fraud`, `virus`, `other`. */
export const EmailComplaint = Type.Object({ type: Type.String() });
export type EmailComplaint = Static<typeof EmailComplaint>;

export const EmailOpen = Type.Object({
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  /** Fetched by a proxy or a scanner, not by a person. */
  machine_open: Type.Boolean(),
});
export type EmailOpen = Static<typeof EmailOpen>;

export const EmailClick = Type.Object({
  url: Type.String(),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  /** Followed by a scanner, not by a person. */
  machine_click: Type.Optional(Type.Boolean()),
});
export type EmailClick = Static<typeof EmailClick>;

export const EmailReport = Type.Object({
  /** The same when the same report comes again: of a DSN, a notification or a hit. At most 200 characters. */
  report_id: Type.String({ minLength: 1, maxLength: 200 }),
  kind: Type.Union([
    Type.Literal('delivered'),
    Type.Literal('delayed'),
    Type.Literal('bounced'),
    Type.Literal('complained'),
    Type.Literal('opened'),
    Type.Literal('clicked'),
    Type.Literal('unsubscribed'),
  ]),
  email_id: Type.String(),
  /** Place of the recipient in the command's `recipients`, from 0. */
  recipient: Type.Integer({ minimum: 0 }),
  /** Account at the provider, as on attempts; null for tracking links and unsubscribes. */
  provider: nullable(Type.String()),
  /** With `bounced`. */
  bounce: Type.Optional(nullable(EmailBounce)),
  /**
   * With `bounced`: whether the address is to be suppressed. The reader of the report decides it by
   * the reply code.
   */
  suppress: Type.Optional(Type.Boolean()),
  /** With `complained`. */
  complaint: Type.Optional(nullable(EmailComplaint)),
  /** With `opened`. */
  open: Type.Optional(nullable(EmailOpen)),
  /** With `clicked`. */
  click: Type.Optional(nullable(EmailClick)),
  /** With `unsubscribed`: they are signed too, so that a link works after its email is gone. */
  workspace_id: Type.Optional(nullable(Type.String())),
  address: Type.Optional(nullable(Type.String())),
  /** When it happened, as far as it is known. */
  occurred_at: Type.String(),
  received_at: Type.String(),
});
export type EmailReport = Static<typeof EmailReport>;
