import {
  type MessageRecord,
  PHONE_CONTRACTS,
  phoneKindOf,
  type SendMessage,
} from '@watchword/contracts';

/** Returns the record of an accepted message that has not reached dispatch yet. */
export function acceptedRecord(command: SendMessage): MessageRecord {
  const { credit_price: price, send_at: sendAt = null } = command;
  const kind = phoneKindOf(command);
  return {
    id: command.message_id,
    workspace_id: command.workspace_id,
    kind,
    family: command.family,
    test_mode: command.test_mode,
    destination: command.destination,
    country_code: command.country_code,
    network: command.network,
    sender_id: command.sender_id,
    state: sendAt === null ? 'accepted' : 'scheduled',
    credits: command.credits,
    segments: command.segments,
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
    ...PHONE_CONTRACTS[kind].acceptedContent(command),
    timeline: sendAt === null ? [{ status: 'queued', timestamp: command.created_at }] : [],
    send_at: sendAt,
    cost: price && {
      amount_kobo: command.credits * price.amount,
      currency: price.currency,
    },
    provider_attempts: [],
  };
}
