import { type InboundMessage, newId } from '@watchword/contracts';
import { inboundKeywordOf } from '@watchword/telephony';
import { storable } from './delivery-report.policy.js';
import type { CarrierInbound } from './provider.port.js';

/** Returns what is passed on of a handset's message, however it arrived: the keyword, not the text. */
export function inboundMessageOf(
  provider: string,
  { from, to, body, providerMessageId }: CarrierInbound,
  receivedAt: string,
): InboundMessage {
  return {
    inbound_id: newId(),
    provider,
    provider_message_id: storable(providerMessageId) ?? '',
    from,
    to: storable(to) ?? '',
    keyword: inboundKeywordOf(body),
    received_at: receivedAt,
  };
}
