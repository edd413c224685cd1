/** What an endpoint of variant A gets when it names no events: those the specification names. */
export const DEFAULT_EVENTS: readonly string[] = [
  'otp.sent',
  'otp.failed',
  'sms.delivered',
  'sms.failed',
  'sms.blocked',
  'credit_balance.topped_up',
];

/** What it gets only when it asks. */
export const OPT_IN_EVENTS: readonly string[] = [
  'otp.delivered',
  'otp.verified',
  'otp.expired',
  'sms.sent',
  'sms.cancelled',
  'credit_balance.low',
  'credit_balance.top_up_failed',
  'sender_id.approved',
  'sender_id.rejected',
  'domain.verified',
  'domain.failed',
  'prefix.throttled',
  'prefix.blocked',
  'webhook.disabled',
];

/** Names that only endpoints of variant B hear. */
export const VARIANT_B_EVENTS: readonly string[] = [
  'sms.queued',
  'sms.rejected',
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
];
