import { type Static, Type } from '@sinclair/typebox';
import type { MessageId, WorkspaceId } from '../ids.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * A report about an email: a bounce message, a provider's notification, or a hit on a tracking
 * link. The gateway verified it. Topic `svc.email-reports.v1`, key = email id.
 *
 * Only a signed token sets `email_id` and `recipient`. Addresses in a report are never trusted.
 */

export const EmailBounce = Type.Object({
  type: words('permanent', 'transient'),
  /** `general`, `no_email`, `suppressed`, `mailbox_full`, `message_too_large`, `content_rejected`. */
  sub_type: Type.String(),
  /** The receiver's reply, for example `550 5.1.1`. Null where it gave none. */
  code: nullable(Type.String()),
  message: nullable(Type.String()),
});
export type EmailBounce = Static<typeof EmailBounce>;

/** `type` is the feedback type of RFC 5965: `abuse`, `fraud`, `virus` or `other`. */
export const EmailComplaint = Type.Object({ type: Type.String() });
export type EmailComplaint = Static<typeof EmailComplaint>;

export const EmailOpen = Type.Object({
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  /** A proxy or a scanner fetched the image, not a person. */
  machine_open: Type.Boolean(),
});
export type EmailOpen = Static<typeof EmailOpen>;

export const EmailClick = Type.Object({
  url: Type.String(),
  ip: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  /** A scanner followed the link, not a person. */
  machine_click: Type.Optional(Type.Boolean()),
});
export type EmailClick = Static<typeof EmailClick>;

export const EmailReport = Type.Object({
  /** Id of the report, at most 200 characters. A repeated report has the same id. */
  report_id: Type.String({ minLength: 1, maxLength: 200 }),
  kind: words('delivered', 'delayed', 'bounced', 'complained', 'opened', 'clicked', 'unsubscribed'),
  email_id: idOf<MessageId>(),
  /** Index of the recipient in the command's `recipients`, from 0. */
  recipient: Type.Integer({ minimum: 0 }),
  /** Account at the provider, as on attempts. Null for tracking links and unsubscribes. */
  provider: nullable(Type.String()),
  /** Present with `bounced`. */
  bounce: Type.Optional(nullable(EmailBounce)),
  /** Present with `bounced`: whether to suppress the address. The reply code decides it. */
  suppress: Type.Optional(Type.Boolean()),
  /** Present with `complained`. */
  complaint: Type.Optional(nullable(EmailComplaint)),
  /** Present with `opened`. */
  open: Type.Optional(nullable(EmailOpen)),
  /** Present with `clicked`. */
  click: Type.Optional(nullable(EmailClick)),
  /**
   * Present with `unsubscribed`. The token signs it too, so a link works after its email is
   * deleted.
   */
  workspace_id: Type.Optional(nullable(idOf<WorkspaceId>())),
  address: Type.Optional(nullable(Type.String())),
  /** Time of the event, ISO 8601 UTC; the time of receipt where the report names none. */
  occurred_at: Type.String(),
  received_at: Type.String(),
});
export type EmailReport = Static<typeof EmailReport>;
