import {
  DEFAULT_EVENTS,
  type MessageEventType,
  type MessageSnapshot,
  OPT_IN_EVENTS,
  VARIANT_B_EVENTS,
} from '@watchword/contracts';

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
