import type { EmailRecipientStatus } from '@watchword/contracts';
import type { Channel } from '../channel.js';
import { Machine, type Transitions } from '../machine.js';

/**
 * The states of one recipient's copy.
 *
 *   queued ──▶ sent ──▶ delivered ──▶ complained
 *     │          │           │
 *     │          └───────────┴──▶ bounced
 *     └──▶ failed, cancelled, and every state that a report can say
 *
 * `delivered` is not the end: bounces and complaints come late. A report can overtake the record of
 * its hand-over, so `queued` takes every report. A terminal state never changes.
 */
export type EmailTrigger =
  | 'provider_accepted'
  | 'delivery_confirmed'
  | 'bounce_reported'
  | 'complaint_reported'
  | 'sending_failed'
  | 'cancellation_asked';

const ENDED = {
  bounced: 'bounced',
  complained: 'complained',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;
const HANDED_OVER = { ...ENDED, sent: 'sent', delivered: 'delivered' } as const;

const EMAIL_TRANSITIONS: Transitions<EmailRecipientStatus, EmailTrigger> = {
  provider_accepted: { ...HANDED_OVER, queued: 'sent' },
  delivery_confirmed: { ...HANDED_OVER, queued: 'delivered', sent: 'delivered' },
  bounce_reported: { ...ENDED, queued: 'bounced', sent: 'bounced', delivered: 'bounced' },
  complaint_reported: {
    ...ENDED,
    queued: 'complained',
    sent: 'complained',
    delivered: 'complained',
  },
  sending_failed: { ...HANDED_OVER, queued: 'failed' },
  cancellation_asked: { queued: 'cancelled', cancelled: 'cancelled' },
};

/** The email channel. Each recipient has its own state. */
export const EMAIL_CHANNEL: Channel<EmailRecipientStatus, EmailTrigger> = {
  kind: 'email',
  machine: new Machine('email', EMAIL_TRANSITIONS, Object.values(ENDED)),
};
