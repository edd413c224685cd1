import { PHONE_CONTRACTS } from '../channels/channel-contracts.js';
import { isPhoneKind, type MessageKind } from '../channels/channels.js';
import type { ListedMessage } from '../http/listed-message.schema.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';

/** Returns a message as lists of all kinds show it. */
export const listedMessage = (record: MessageRecord): ListedMessage =>
  PHONE_CONTRACTS[record.kind].listed(record);

export function isEmail<Record extends { readonly kind: MessageKind }>(
  record: Record,
): record is Extract<Record, { readonly kind: 'email' }> {
  return !isPhoneKind(record.kind);
}
