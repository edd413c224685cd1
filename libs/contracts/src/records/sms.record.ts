import type { SmsDetails } from '../http/sms.schema.js';
import { type MessageState, publicStatus } from '../message-states.js';
import type { PriceList } from '../rpc/billing-calls.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';

/**
 * The union of both variants; `status` in the words of the family that created the message. A message that
 * does not know its cost is priced as credits are now.
 */
export function smsDetails(
  record: MessageRecord,
  creditPrice: PriceList['credit_price'],
): SmsDetails {
  const { amount, currency } = creditPrice;
  return smsRecord(record, record.cost ?? { amount_kobo: record.credits * amount, currency });
}

/** The same with a cost that may be unknown. */
export function smsRecord<Cost>(
  record: MessageRecord,
  cost: Cost,
): Omit<SmsDetails, 'cost'> & { cost: Cost } {
  const state = record.state as MessageState;
  return {
    id: record.id,
    workspace_id: record.workspace_id,
    status: publicStatus(state, record.family),
    phone_number: record.destination,
    country_code: record.country_code,
    message: record.body,
    sender_id: record.sender_id,
    credit_cost: record.credits,
    segments: record.segments,
    encoding: record.encoding,
    metadata: record.metadata,
    timeline: record.timeline,
    reason: record.reason ?? undefined,
    refunded: record.refunded ?? undefined,
    antispam: record.antispam ?? undefined,
    to: record.destination,
    from: record.sender_id,
    body: record.body,
    country: record.country_code,
    carrier: record.network,
    provider: record.provider,
    provider_message_id: record.provider_message_id,
    provider_attempts: record.provider_attempts,
    cost,
    error_code: record.error_code ?? undefined,
    error_message: record.error_message ?? undefined,
    test_mode: record.test_mode,
    created_at: record.created_at,
    sent_at: record.sent_at,
    delivered_at: record.delivered_at,
  };
}
