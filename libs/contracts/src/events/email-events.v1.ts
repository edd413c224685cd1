import { type Static, Type } from '@sinclair/typebox';
import type { EventId, MessageId, WorkspaceId } from '../ids.js';
import { EmailAttachment } from '../channels/email/email-command.schema.js';
import { EmailBounce, EmailClick, EmailComplaint, EmailOpen } from './email-report.v1.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * Something happened to an email, with the email's record as of that moment. Topic
 * `svc.email-events.v1`, key = email id. `email.queued` and `email.cancelled` come once per email,
 * the others once per recipient. A failure or cancellation with a refund is published when the
 * refund is settled.
 */

export const EMAIL_RECIPIENT_STATUSES = [
  'queued',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'failed',
  'cancelled',
] as const;
export type EmailRecipientStatus = (typeof EMAIL_RECIPIENT_STATUSES)[number];
export const EMAIL_STATUSES = ['scheduled', ...EMAIL_RECIPIENT_STATUSES] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

export const EmailRecipient = Type.Object({
  address: Type.String(),
  status: words(...EMAIL_RECIPIENT_STATUSES),
  bounce: Type.Optional(EmailBounce),
});

/** A hop that the email reached (`recipient` absent) or one recipient reached. Oldest first. */
export const EmailHop = Type.Object({
  status: Type.String(),
  timestamp: Type.String(),
  recipient: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  /** Of a failed recipient: whether the whole email was refunded. */
  refunded: Type.Optional(Type.Boolean()),
});

/** One hand-over of a recipient's copy to a provider. */
export const EmailAttempt = Type.Object({
  provider: Type.String(),
  recipient: Type.String(),
  attempted_at: Type.String(),
  ok: Type.Boolean(),
  provider_message_id: nullable(Type.String()),
  error_code: nullable(Type.String()),
  error_message: nullable(Type.String()),
});

/** Everything that a read shows of an email except its texts. Unknown values are null. */
export const EmailSummary = Type.Object({
  id: idOf<MessageId>(),
  workspace_id: idOf<WorkspaceId>(),
  status: words(...EMAIL_STATUSES),
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  attachments: Type.Array(EmailAttachment),
  tags: Type.Array(Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  category: words('transactional', 'marketing'),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  recipients: Type.Array(EmailRecipient),
  /** The `Message-ID` header, equal in every copy. */
  message_id: Type.String(),
  cost: Type.Object({ amount_kobo: Type.Integer(), currency: Type.String() }),
  /** Credits charged. In test mode, the credits that live would have charged. */
  credits: Type.Integer(),
  /** Whether the credits were refunded. Null until the email has failed or is cancelled. */
  refunded: nullable(Type.Boolean()),
  /** Recipients that opened the email at least once. Machine opens do not count. */
  open_count: Type.Integer(),
  click_count: Type.Integer(),
  timeline: Type.Array(EmailHop),
  provider_attempts: Type.Array(EmailAttempt),
  error_code: nullable(Type.String()),
  error_message: nullable(Type.String()),
  test_mode: Type.Boolean(),
  send_at: nullable(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
  sent_at: nullable(Type.String()),
  delivered_at: nullable(Type.String()),
});
export type EmailSummary = Static<typeof EmailSummary>;

export const EMAIL_EVENT_TYPES = [
  'email.queued',
  'email.sent',
  'email.delivered',
  'email.delayed',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'email.failed',
  'email.cancelled',
  'email.unsubscribed',
] as const;

export const EmailEvent = Type.Object({
  event_id: idOf<EventId>(),
  type: words(...EMAIL_EVENT_TYPES),
  occurred_at: Type.String(),
  email_id: idOf<MessageId>(),
  workspace_id: idOf<WorkspaceId>(),
  /** Address that the event is about. Null for an event of the whole email. */
  recipient: nullable(Type.String()),
  email: EmailSummary,
  bounce: Type.Optional(EmailBounce),
  complaint: Type.Optional(EmailComplaint),
  open: Type.Optional(EmailOpen),
  click: Type.Optional(EmailClick),
});
export type EmailEvent = Static<typeof EmailEvent>;
export type EmailEventType = EmailEvent['type'];
export type EmailHop = Static<typeof EmailHop>;
export type EmailRecipient = Static<typeof EmailRecipient>;
