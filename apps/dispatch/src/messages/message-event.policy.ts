import {
  type MessageEvent,
  type MessageEventType,
  type MessageState,
  newEventId,
  type RefundMessage,
  timeText,
  TOPICS,
} from '@watchword/contracts';
import { chargedOf, type Message, type Resend } from './message.js';
import { isRefundDue } from './message-change.policy.js';
import { messageDetails, queuedAt, snapshot } from './message-record.policy.js';

export const MESSAGE_EVENT_TYPE = 'svc.message-event.v1';

/** A bus message that is published if, and only if, the write that brings it happens. */
export interface Outgoing {
  readonly topic: string;
  readonly key: string;
  readonly id: string;
  readonly type: string;
  readonly time: Date;
  /** Becomes JSON together with the rest of the batch. */
  readonly payload: unknown;
}

/**
 * Derives what to publish from the difference of the two messages: one event per new hop, and a
 * refund command when a failure needs one.
 */
export function announcements(before: Message | null, after: Message): Outgoing[] {
  const at = after.updatedAt;
  const rows: Outgoing[] = [];
  const isNew = (property: 'sentAt' | 'deliveredAt' | 'verifiedAt' | 'endedAt' | 'settledAt') =>
    after[property] !== null && (before === null || before[property] === null);
  if (isQueued(before, after)) rows.push(event('message.queued', asQueued(after), at));
  if (isNew('sentAt')) rows.push(event('message.sent', asSent(before, after), at));
  if (isNew('deliveredAt')) rows.push(event('message.delivered', asOf(after, 'delivered'), at));
  if (isNew('verifiedAt')) rows.push(event('message.verified', after, at));
  if (isNew('endedAt') && after.state === 'expired') {
    rows.push(event('message.expired', after, at));
  }
  if (isRefundDue(after) && !(before && isRefundDue(before))) {
    rows.push(refundCommand(after, after, at));
  }
  for (const failed of newlyFailed(before, after)) rows.push(refundCommand(failed, after, at));
  if (isNew('settledAt')) rows.push(event(ENDINGS[after.state] ?? 'message.failed', after, at));
  return rows;
}

const ENDINGS: Partial<Record<MessageState, MessageEventType>> = {
  blocked: 'message.blocked',
  rejected: 'message.rejected',
  cancelled: 'message.cancelled',
};

/**
 * Returns whether variant B announces the hop `queued`, also of a send that is refused in the write
 * that stores it.
 */
function isQueued(before: Message | null, after: Message): boolean {
  if (after.family !== 'b' || queuedAt(after) === null) return false;
  return before === null || queuedAt(before) === null;
}

const NOT_ENDED = { reason: null, refunded: null, settledAt: null, endedAt: null } as const;

function asQueued(message: Message): Message {
  return { ...message, ...NOT_ENDED, state: 'accepted', sentAt: null, deliveredAt: null };
}

/**
 * Returns the message at an earlier state. One write can reach two states, and the first event
 * shows the record before the second.
 */
function asOf(message: Message, state: 'sent' | 'delivered'): Message {
  if (message.state === state) return message;
  const open = { ...message, state, ...NOT_ENDED };
  return state === 'sent' ? { ...open, deliveredAt: null } : open;
}

/**
 * The answer of a carrier can come after an ending that was announced. The event then shows the record as
 * it is, so that a later event never shows an earlier state.
 */
function asSent(before: Message | null, after: Message): Message {
  const isAnnounced = before !== null && (before.verifiedAt ?? before.settledAt) !== null;
  return isAnnounced ? after : asOf(after, 'sent');
}

function event(type: MessageEventType, message: Message, at: Date): Outgoing {
  const id = newEventId();
  const payload: MessageEvent = {
    event_id: id,
    type,
    occurred_at: timeText(at),
    message: snapshot(message),
    details: messageDetails(message),
  };
  return {
    topic: TOPICS.messageEvents.name,
    key: message.id,
    id,
    type: MESSAGE_EVENT_TYPE,
    time: at,
    payload,
  };
}

/** Returns newly failed resends. They have their own charges, except in test mode. */
function newlyFailed(before: Message | null, after: Message): Resend[] {
  if (after.testMode) return [];
  const failedBefore = new Set(before?.resends.filter(({ reason }) => reason).map(({ id }) => id));
  return chargedOf(after.resends).filter(
    ({ id, reason }) => reason !== null && !failedBefore.has(id),
  );
}

/** The charge's own id is the command's: asked twice, it is still one refund. */
function refundCommand(
  charged: Pick<Message | Resend, 'id' | 'reason'>,
  message: Message,
  at: Date,
): Outgoing {
  const payload: RefundMessage = {
    message_id: charged.id,
    workspace_id: message.workspaceId,
    reason: charged.reason ?? 'unknown_error',
    requested_at: timeText(at),
  };
  return {
    topic: TOPICS.refundCommands.name,
    key: message.workspaceId,
    id: charged.id,
    type: 'svc.refund-message.v1',
    time: at,
    payload,
  };
}
