import { smsFields } from '../channels/sms/sms-fields.schema.js';
import type { SmsMessage } from '../http/messaging.schema.js';
import type { SmsDetails } from '../http/sms.schema.js';
import { type MessageState, publicStatus } from '../message-states.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';

/** Of a message whose command had no price. Every acceptance stores one. */
const NO_COST = { amount_kobo: 0, currency: 'NGN' };

/** Returns the members of both variants. `status` is in the words of the message's family. */
export function smsDetails(record: MessageRecord): SmsDetails {
  const expired = record.content_expired ? { content_expired: true as const } : {};
  return { ...smsRecord(record, record.cost ?? NO_COST), ...expired };
}

/** Returns the same record for webhooks, where the cost may be unknown. The text is still there. */
export function smsRecord<Cost>(
  record: MessageRecord,
  cost: Cost,
): Omit<SmsDetails, 'cost' | 'content_expired'> & { cost: Cost } {
  return {
    ...messageRecordOf(record, cost),
    workspace_id: record.workspace_id,
    phone_number: record.destination,
    country_code: record.country_code,
    message: record.body,
    sender_id: record.sender_id,
    credit_cost: record.credits,
    timeline: timelineOf(record),
    original_body: record.original_body ?? undefined,
    category: record.category === 'promotional' ? record.category : undefined,
    reason: endOf(record).reason ?? undefined,
    refunded: record.refunded ?? undefined,
    antispam: record.antispam ?? undefined,
  };
}

/**
 * Returns variant B's members alone: the answer of a send, of an item of a batch and of a cancel.
 */
export function smsMessage(record: MessageRecord): SmsMessage {
  return messageRecordOf(record, record.cost ?? NO_COST);
}

function messageRecordOf<Cost>(
  record: MessageRecord,
  cost: Cost,
): Omit<SmsMessage, 'cost'> & { cost: Cost } {
  return {
    id: record.id,
    project_id: record.workspace_id,
    status: publicStatus(record.state as MessageState, record.family),
    to: record.destination,
    from: record.sender_id ?? record.shown_sender ?? null,
    body: record.body,
    segments: record.segments,
    encoding: record.encoding,
    ...smsFields(record),
    country: record.country_code,
    carrier: record.network,
    provider: record.provider,
    provider_message_id: record.provider_message_id,
    provider_attempts: record.provider_attempts.map(attemptOf),
    cost,
    error_code: endOf(record).error_code,
    error_message: endOf(record).error_message,
    metadata: record.metadata,
    test_mode: record.test_mode,
    send_at: record.send_at ?? null,
    created_at: record.created_at,
    sent_at: record.sent_at,
    delivered_at: record.delivered_at,
  };
}

/**
 * Returns how the message ended. Only variant A shows `cancelled` as a reason; variant B has it as
 * a status.
 */
function endOf(record: MessageRecord) {
  const { reason, error_code, error_message } = record;
  return isCancelledInB(record)
    ? { reason: null, error_code: null, error_message: null }
    : { reason, error_code, error_message };
}

function timelineOf(record: MessageRecord): MessageRecord['timeline'] {
  const { timeline } = record;
  if (timeline.length === 0 || !isCancelledInB(record)) return timeline;
  const { reason: _reason, ...last } = timeline.at(-1)!;
  return timeline.with(-1, last);
}

function isCancelledInB({ family, state }: MessageRecord): boolean {
  return family === 'b' && state === 'cancelled';
}

/** Returns an attempt of variant B. Unknown values are null, never absent. */
function attemptOf(attempt: MessageRecord['provider_attempts'][number]) {
  return { provider_message_id: null, error_code: null, error_message: null, ...attempt };
}
