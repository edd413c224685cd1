import { type MessageRecord, phoneKindOf, type SendMessage, smsFields } from '@watchword/contracts';

/** Returns the record of an accepted message that has not reached dispatch yet. */
export function acceptedRecord(command: SendMessage): MessageRecord {
  const { otp, sms, credit_price: price, send_at: sendAt = null } = command;
  return {
    id: command.message_id,
    workspace_id: command.workspace_id,
    kind: phoneKindOf(command),
    family: command.family,
    test_mode: command.test_mode,
    destination: command.destination,
    country_code: command.country_code,
    network: command.network,
    sender_id: command.sender_id,
    body: sms?.body ?? null,
    state: sendAt === null ? 'accepted' : 'scheduled',
    credits: command.credits,
    segments: command.segments,
    encoding: sms?.encoding ?? 'GSM-7',
    provider: null,
    provider_message_id: null,
    reason: null,
    refunded: null,
    error_code: null,
    error_message: null,
    antispam: null,
    metadata: command.metadata,
    created_at: command.created_at,
    updated_at: command.created_at,
    sent_at: null,
    delivered_at: null,
    failed_at: null,
    original_body: sms?.original_body ?? null,
    ...(sms?.category && { category: sms.category }),
    ...(sms ? smsFields(sms) : { rewritten: false }),
    otp: otp && {
      code_length: otp.code_length,
      ttl_seconds: otp.ttl_seconds,
      expires_at: otp.expires_at,
      language: otp.language,
      attempt_count: 0,
      max_attempts: otp.max_attempts,
      verified_at: null,
    },
    timeline: sendAt === null ? [{ status: 'queued', timestamp: command.created_at }] : [],
    send_at: sendAt,
    cost: price && {
      amount_kobo: command.credits * price.amount,
      currency: price.currency,
    },
    provider_attempts: [],
  };
}
