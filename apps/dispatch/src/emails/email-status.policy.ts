import type { EmailRecipientStatus, EmailStatus } from '@watchword/contracts';
import type { Email, Recipient } from './email.js';

/**
 * Returns the email's status. Failed recipients count only when there are no others. It is `queued`
 * while any recipient is. A complaint takes precedence over a bounce, and a bounce over the rest.
 */
export function statusOfStates(states: readonly EmailRecipientStatus[]): EmailRecipientStatus {
  const living = states.filter((state) => state !== 'failed');
  if (living.length === 0) return 'failed';
  if (living.every((state) => state === 'cancelled')) return 'cancelled';
  for (const state of ['queued', 'complained', 'bounced'] as const) {
    if (living.includes(state)) return state;
  }
  return living.every((state) => state === 'delivered') ? 'delivered' : 'sent';
}

/** Returns the status as it is, whether public or not. */
export function statusOf(email: Pick<Email, 'queuedAt' | 'recipients'>): EmailStatus {
  const status = statusOfStates(email.recipients.map(({ state }) => state));
  return status === 'queued' && email.queuedAt === null ? 'scheduled' : status;
}

/** Returns whether the whole email failed or is cancelled, so that its charge is refunded. */
export function isRefundDue(email: Pick<Email, 'queuedAt' | 'recipients'>): boolean {
  const status = statusOf(email);
  return status === 'failed' || status === 'cancelled';
}

/**
 * Returns recipients as clients see them: an end with a refund shows only once the refund is
 * settled (ADR 3).
 */
export function visibleRecipients(email: Email): readonly Recipient[] {
  if (!isRefundDue(email) || email.settledAt !== null) return email.recipients;
  return email.recipients.map((recipient) =>
    recipient.failureAnnounced ? recipient : { ...recipient, state: 'queued', endedAt: null },
  );
}

export function visibleStatus(email: Email): EmailStatus {
  return statusOf({ ...email, recipients: visibleRecipients(email) });
}
