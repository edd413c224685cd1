import { isPhoneKind, type MessageKind, type PhoneKind } from '../channels/channels.js';
import type { ListedMessage } from '../openapi/answer.schema.js';
import type { MessageRecord } from '../rpc/dispatch-calls.js';
import { otpDetails } from './otp.record.js';
import { smsDetails } from './sms.record.js';

/** Lists of all kinds show these. An SMS also shows the text that its sender gave. */
const LISTED: Readonly<Record<PhoneKind, (record: MessageRecord) => ListedMessage>> = {
  otp: (record) => ({ kind: 'otp', ...otpDetails(record) }),
  sms: (record) => ({
    kind: 'sms',
    ...smsDetails(record),
    original_message: record.original_body ?? undefined,
  }),
};

export const listedMessage = (record: MessageRecord): ListedMessage => LISTED[record.kind](record);

export function isEmail<Record extends { readonly kind: MessageKind }>(
  record: Record,
): record is Extract<Record, { readonly kind: 'email' }> {
  return !isPhoneKind(record.kind);
}
