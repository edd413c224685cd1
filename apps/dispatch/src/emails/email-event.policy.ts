import { type EmailEvent, newEventId, type RefundMessage, TOPICS } from '@watchword/contracts';
import type { Outgoing } from '../messages/message-event.policy.js';
import { type Email, type EmailOccurrence, isOfPlatform, wordsOf } from './email.js';
import { emailSummary } from './email-record.policy.js';
import { isRefundDue } from './email-status.policy.js';

/**
 * Returns what a write announces: its events, and a refund command when the whole email has failed
 * or is cancelled. An email of the platform has no subscriber and no charge.
 */
export function emailAnnouncements(before: Email | null, after: Email): Outgoing[] {
  if (isOfPlatform(after)) return [];
  const rows = after.occurrences.map((occurrence) => eventOf(after, occurrence));
  const isRefundNew = isRefundDue(after) && !(before && isRefundDue(before));
  return isRefundNew && !after.testMode ? [...rows, refundCommand(after)] : rows;
}

function eventOf(after: Email, { type, at, recipient, email, details }: EmailOccurrence): Outgoing {
  const id = newEventId();
  const payload: EmailEvent = {
    event_id: id,
    type,
    occurred_at: at.toISOString(),
    email_id: after.id,
    workspace_id: after.workspaceId,
    recipient: recipient === null ? null : (wordsOf(after).recipients[recipient] ?? null),
    email: emailSummary(email),
    ...details,
  };
  return {
    topic: TOPICS.emailEvents.name,
    key: after.id,
    id,
    type: 'svc.email-event.v1',
    time: at,
    payload,
  };
}

/**
 * Returns the refund command. The charge has the email's id, so a repeated command is one refund.
 */
function refundCommand(email: Email): Outgoing {
  const payload: RefundMessage = {
    message_id: email.id,
    workspace_id: email.workspaceId,
    reason: email.recipients[0]?.reason ?? 'cancelled',
    requested_at: email.updatedAt.toISOString(),
  };
  return {
    topic: TOPICS.refundCommands.name,
    key: email.workspaceId,
    id: email.id,
    type: 'svc.refund-message.v1',
    time: email.updatedAt,
    payload,
  };
}
