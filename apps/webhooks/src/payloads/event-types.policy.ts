import type { MessageEventType, MessageSnapshot } from '@watchword/contracts';

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
  'prefix.throttled',
  'prefix.blocked',
  'webhook.disabled',
];

/** Names that only endpoints of variant B hear. */
const VARIANT_B_EVENTS: readonly string[] = [
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

/** An endpoint of variant B with this name hears everything, opt-in events included. */
export const ALL_EVENTS = '*';

const VARIANT_A_NAMES = new Set([...DEFAULT_EVENTS, ...OPT_IN_EVENTS]);
const ALL_NAMES = new Set([...VARIANT_A_NAMES, ...VARIANT_B_EVENTS]);

export function isKnownEvent(name: string, variant: 'a' | 'b'): boolean {
  return (variant === 'a' ? VARIANT_A_NAMES : ALL_NAMES).has(name);
}

type Names = Readonly<Record<MessageEventType, string | null>>;

/** An OTP is never blocked or rejected to the public: it failed, for a reason. */
const OTP_NAMES: Names = {
  'message.queued': null,
  'message.sent': 'otp.sent',
  'message.delivered': 'otp.delivered',
  'message.verified': 'otp.verified',
  'message.expired': 'otp.expired',
  'message.failed': 'otp.failed',
  'message.blocked': 'otp.failed',
  'message.rejected': 'otp.failed',
  'message.cancelled': 'otp.failed',
};

/** The last hops of an SMS: it cannot be verified, and when it expires it has failed. */
const SMS_NAMES_OF_A: Names = {
  'message.queued': null,
  'message.sent': 'sms.sent',
  'message.delivered': 'sms.delivered',
  'message.verified': 'sms.delivered',
  'message.expired': 'sms.failed',
  'message.failed': 'sms.failed',
  'message.blocked': 'sms.blocked',
  'message.rejected': 'sms.failed',
  'message.cancelled': 'sms.cancelled',
};

const SMS_NAMES_OF_B: Names = {
  ...SMS_NAMES_OF_A,
  'message.queued': 'sms.queued',
  'message.blocked': 'sms.rejected',
  'message.rejected': 'sms.rejected',
};

/** Variant A's name of what happened to a message; null for what variant A lacks. */
export function variantAType(kind: MessageSnapshot['kind'], type: MessageEventType): string | null {
  return (kind === 'otp' ? OTP_NAMES : SMS_NAMES_OF_A)[type];
}

/** Variant B's name. Only messages of family `b` are queued. */
export function variantBType(
  { kind, family }: Pick<MessageSnapshot, 'kind' | 'family'>,
  type: MessageEventType,
): string | null {
  if (type === 'message.queued' && family === 'a') return null;
  return (kind === 'otp' ? OTP_NAMES : SMS_NAMES_OF_B)[type];
}
