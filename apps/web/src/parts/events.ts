import type { V1 } from '../api/client';
import { useTexts } from '../texts';

type EventType = Exclude<V1['Webhook']['events'][number], '*'>;

/** Every type of event, which the compiler compares with the document. */
const NAMES: Record<EventType, true> = {
  'otp.sent': true,
  'otp.delivered': true,
  'otp.verified': true,
  'otp.expired': true,
  'otp.failed': true,
  'sms.queued': true,
  'sms.sent': true,
  'sms.delivered': true,
  'sms.failed': true,
  'sms.blocked': true,
  'sms.rejected': true,
  'sms.cancelled': true,
  'email.queued': true,
  'email.sent': true,
  'email.delivered': true,
  'email.delayed': true,
  'email.bounced': true,
  'email.complained': true,
  'email.opened': true,
  'email.clicked': true,
  'email.failed': true,
  'email.cancelled': true,
  'email.unsubscribed': true,
  'credit_balance.low': true,
  'credit_balance.topped_up': true,
  'credit_balance.top_up_failed': true,
  'sender_id.approved': true,
  'sender_id.rejected': true,
  'domain.verified': true,
  'domain.failed': true,
  'prefix.throttled': true,
  'prefix.blocked': true,
  'webhook.disabled': true,
};

export const EVENTS = Object.keys(NAMES) as EventType[];

const TEXTS = { all: ['All', 'Tous'] } as const;

/** Returns the events of an endpoint in a line. */
export function useEventNames(): (events: readonly string[]) => string {
  const texts = useTexts(TEXTS);
  return (events) => (events.includes('*') ? texts.all : events.join(', '));
}
