import {
  type MessageRecord,
  type MessageState,
  type PriceList,
  publicStatus,
  type SendMessage,
  type SendSmsAnswer,
  type SmsDetails,
} from '@watchword/contracts';

/** Everything in it is in the stored command, so a replay is the same text to the byte. */
export function sentSms(command: SendMessage): SendSmsAnswer {
  const { sms } = command;
  if (!sms) throw new Error(`message ${command.message_id} is not an SMS`);
  return {
    id: command.message_id,
    phone_number: command.destination,
    country_code: command.country_code,
    credit_cost: command.credits,
    segments: command.segments,
    encoding: sms.encoding,
    rewritten: sms.rewritten,
    status: 'pending',
    created_at: command.created_at,
  };
}

/** The union of both variants; `status` in the words of the family that created the message. */
export function smsDetails(
  record: MessageRecord,
  creditPrice: PriceList['credit_price'],
): SmsDetails {
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
    cost: {
      amount_kobo: record.credits * creditPrice.amount,
      currency: creditPrice.currency,
    },
    error_code: record.error_code ?? undefined,
    error_message: record.error_message ?? undefined,
    test_mode: record.test_mode,
    created_at: record.created_at,
    sent_at: record.sent_at,
    delivered_at: record.delivered_at,
  };
}
